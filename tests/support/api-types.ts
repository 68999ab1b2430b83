import { writeFileSync } from "node:fs";
import openapiTS, { astToString, type OpenAPI3 } from "openapi-typescript";
import { buildOpenApi } from "~/api/openapi.server";

/** Writes the types that a public generator makes of our description of `/api/pieces`, for the client of the tests. */
const { paths, ...rest } = buildOpenApi() as unknown as OpenAPI3;
const pieces = Object.entries(paths ?? {}).filter(([path]) => path.startsWith("/api/pieces"));
const types = astToString(await openapiTS({ ...rest, paths: Object.fromEntries(pieces) }));
writeFileSync(new URL("./mailroom-api.d.ts", import.meta.url), types);
