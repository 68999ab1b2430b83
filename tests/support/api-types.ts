import { writeFileSync } from "node:fs";
import openapiTS, { astToString, type OpenAPI3 } from "openapi-typescript";
import { buildOpenApi } from "~/api/openapi.server";

/** Writes the types that a public generator makes of our description, for the client of the tests. */
const types = astToString(await openapiTS(buildOpenApi() as unknown as OpenAPI3));
writeFileSync(new URL("./mailroom-api.d.ts", import.meta.url), types);
