import { openDatabase } from "~/platform/database/open-database.server";
import { parseEnvironment } from "~/platform/env.server";

/**
 * A second process on a database, for tests to start and to kill: `database-process.ts <task> <address>`. It prints
 * one line of JSON per step to standard output.
 *
 * - `use`: opens the database, then ends
 * - `hold`: opens it and keeps it open
 * - `write`: stores one user after another and prints each once it is acknowledged
 */
const [task, address] = process.argv.slice(2);
const target = parseEnvironment({ DATABASE_URL: address }).database;
const database = openDatabase(target, { use: "the console", shared: false });

function say(step: unknown): void {
  process.stdout.write(`${JSON.stringify(step)}\n`);
}

const counted = await database.run((db) => db.user.count());
say(counted);
if (task === "use") await database.close();
else if (task === "hold") setInterval(() => undefined, 60_000);
else {
  for (let number = 0; ; number++) {
    const id = `user-${number}`;
    await database.run((db) => db.user.create({ data: { id, displayName: id, username: id } }));
    say({ acknowledged: id });
  }
}
