import { prepareEmbedded } from "./embedded";
import { prepareTables, startPostgres } from "./postgres";

/**
 * The databases of a whole run, made before its first test and gone after its last one (`globalSetup` of Vitest's
 * server project and of Playwright): one PostgreSQL, in which `startPostgres` makes databases for each file, and one
 * embedded database, of which `newEmbedded` makes copies. Who stops the server asks for one of its own.
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
