import pg from "pg";

/**
 * Does `work` while a session of its own holds what `lock` takes. It has none of the console's time limits, because
 * those that are to wait for the lock may be slow to come. Who waits is asked elsewhere: within a transaction
 * PostgreSQL lists only the sessions of its first look.
 */
export async function holdLock<T>(databaseUrl: string, lock: string, work: () => Promise<T>): Promise<T> {
  const session = new pg.Client({ connectionString: databaseUrl });
  await session.connect();
  try {
    await session.query(`BEGIN; ${lock}`);
    return await work();
  } finally {
    await session.end();
  }
}
