import { writeFileSync } from "node:fs";
import openapiTS, { astToString, type OpenAPI3 } from "openapi-typescript";
import { buildOpenApi } from "~/api/openapi.server";

/** Generates the types of the API description with a public generator, for the client of the tests. */
const types = astToString(await openapiTS(buildOpenApi() as unknown as OpenAPI3));
writeFileSync(new URL("./mailroom-api.d.ts", import.meta.url), types);
