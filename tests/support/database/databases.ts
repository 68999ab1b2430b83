import { prepareEmbedded } from "./embedded";
import { prepareTables, startPostgres } from "./postgres";

/**
 * Creates the databases of a whole run before its first test and removes them after its last one (`globalSetup` of
 * Vitest's server project and of Playwright): one PostgreSQL, in which `startPostgres` creates databases for each
 * file, and one embedded database, which `newEmbedded` copies. A test that stops the server starts its own.
 */
export default async function startDatabases(): Promise<() => Promise<void>> {
  const postgres = await startPostgres();
  await prepareTables(postgres.url);
  process.env.TEST_DATABASE_URL = postgres.url;
  const removeEmbedded = await prepareEmbedded();
  return async () => {
    removeEmbedded();
    await postgres.close();
  };
}
