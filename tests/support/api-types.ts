import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import openapiTS, { astToString, type OpenAPI3 } from "openapi-typescript";
import { buildOpenApi } from "~/api/openapi.server";

/** Where the types of a generated client stand: `npx tsx tests/support/api-types.ts` writes them anew. */
export const TYPES_FILE = new URL("./mailroom-api.d.ts", import.meta.url);

/** The types that a public generator makes of our description, for the calls about pieces. */
export async function generateTypes(): Promise<string> {
  const { paths, ...rest } = buildOpenApi() as unknown as OpenAPI3;
  const pieces = Object.entries(paths ?? {}).filter(([path]) => path.startsWith("/api/pieces"));
  return astToString(await openapiTS({ ...rest, paths: Object.fromEntries(pieces) }));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(TYPES_FILE, await generateTypes());
