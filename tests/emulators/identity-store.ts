interface Stored {
  payload: Record<string, unknown>;
  expiresAt: number;
}

/**
 * Where `oidc-provider` keeps sessions, codes and tokens: in memory, as long as the emulator runs. Returns the
 * adapter factory that its configuration asks for.
 */
export function createIdentityStore() {
  const rows = new Map<string, Stored>();

  function find(key: string): Record<string, unknown> | undefined {
    const row = rows.get(key);
    if (row && row.expiresAt > Date.now()) return row.payload;
    rows.delete(key);
    return undefined;
  }

  function findWhere(model: string, property: string, value: string): Record<string, unknown> | undefined {
    for (const [key, { payload }] of rows) {
      if (key.startsWith(`${model}:`) && payload[property] === value) return find(key);
    }
    return undefined;
  }

  return (model: string) => ({
    async upsert(id: string, payload: Record<string, unknown>, expiresInSeconds?: number) {
      const lifetimeMs = (expiresInSeconds ?? Number.POSITIVE_INFINITY) * 1000;
      rows.set(`${model}:${id}`, { payload, expiresAt: Date.now() + lifetimeMs });
    },
    find: async (id: string) => find(`${model}:${id}`),
    findByUid: async (uid: string) => findWhere(model, "uid", uid),
    findByUserCode: async (userCode: string) => findWhere(model, "userCode", userCode),
    async consume(id: string) {
      const payload = find(`${model}:${id}`);
      if (payload) payload.consumed = Math.floor(Date.now() / 1000);
    },
    async destroy(id: string) {
      rows.delete(`${model}:${id}`);
    },
    async revokeByGrantId(grantId: string) {
      for (const [key, { payload }] of rows) {
        if (payload.grantId === grantId) rows.delete(key);
      }
    },
  });
}
