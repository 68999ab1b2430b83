/** The sends that this process calls the provider with for the first time. */
const underWay = new Set<string>();

/** True while this process makes the first call of a send, also when the database has lost it. */
export function isUnderWay(id: string): boolean {
  return underWay.has(id);
}

/** Does `work` while nothing else in this process may open or repeat the send. */
export async function whileUnderWay<T>(id: string, work: () => Promise<T>): Promise<T> {
  underWay.add(id);
  try {
    return await work();
  } finally {
    underWay.delete(id);
  }
}
