import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

/**
 * The last step of `npm install`: creates `prisma/client` from `schema.prisma`, quietly and without any host except
 * the package registry. Prisma would first download its schema engine, which generating never runs; naming any
 * existing executable prevents that.
 */
const result = spawnSync(
  process.execPath,
  [createRequire(import.meta.url).resolve("prisma/build/index.js"), "generate", "--no-hints"],
  {
    cwd: fileURLToPath(new URL("..", import.meta.url)),
    env: {
      PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
      ...process.env,
      CHECKPOINT_DISABLE: "1",
      PRISMA_HIDE_UPDATE_MESSAGE: "1",
    },
    encoding: "utf8",
  },
);

if (result.status !== 0) {
  process.stderr.write(
    `${result.stdout ?? ""}${result.stderr ?? ""}${result.error?.message ?? ""}\n` +
      "The database client was not generated, so the console cannot run. Mend what is said above, then run: node prisma/generate.js\n",
  );
  process.exit(1);
}
