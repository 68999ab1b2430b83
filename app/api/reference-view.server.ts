import { env } from "~/platform/env.server";
import { statusOf } from "~/platform/http/replies.server";
import { EVENT_BODIES } from "~/webhooks/event.schema.server";
import { buildOpenApi, FAILURE_WORDS, formatScope } from "./openapi.server";
import { listFailures, type Operation } from "./operation.server";
import { OPERATIONS } from "./operations.server";
import type { ReferenceCall, ReferenceField, ReferenceView } from "./reference-view";

type Schema = {
  $ref?: string;
  type?: string | string[];
  format?: string;
  const?: unknown;
  enum?: unknown[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  default?: unknown;
};
type Described = {
  parameters?: { name: string; in: string; required?: boolean; description?: string; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
};

const DEEPEST = 2;

/** The page of the API: the same rows and schemas as the document. */
export function buildReference(): ReferenceView {
  const { paths, components } = buildOpenApi() as {
    paths: Record<string, Record<string, Described>>;
    components: { schemas: Record<string, Schema> };
  };
  const resolve = (schema: Schema): Schema =>
    schema.$ref ? (components.schemas[schema.$ref.split("/").at(-1) ?? ""] ?? {}) : schema;
  const groups = [...new Set(OPERATIONS.map(({ group }) => group))];
  return {
    origin: env().appOrigin,
    groups: groups.map((name) => ({
      name,
      calls: OPERATIONS.filter(({ group }) => group === name).map((operation) =>
        toReferenceCall(operation, paths[operation.path]?.[operation.method] ?? {}, resolve),
      ),
    })),
    events: EVENT_BODIES.map(({ type, about, example }) => ({
      type,
      about,
      sample: JSON.stringify(example, null, 2),
    })),
  };
}

function toReferenceCall(
  operation: Operation,
  { parameters = [], requestBody }: Described,
  resolve: (schema: Schema) => Schema,
): ReferenceCall {
  const { id, method, path, summary, description, scope, answers } = operation;
  const body = requestBody?.content["application/json"]?.schema;
  return {
    id,
    method: method.toUpperCase(),
    path,
    summary,
    description: description ?? null,
    scope: formatScope(scope),
    parameters: parameters.map(({ name, in: place, required, description: about, schema }) => ({
      name,
      type: `${place === "query" ? "" : `${place}, `}${formatType(schema, resolve)}`,
      required: required === true,
      about: about ?? "",
    })),
    fields: body ? listFields(body, resolve) : [],
    curl: formatCurl(operation),
    answers: Object.entries(answers).map(([status, answer]) => ({ status, about: answer.description })),
    failures: listFailures(operation)
      .map((code) => ({ status: statusOf({ code, message: "" }), code, about: FAILURE_WORDS[code] }))
      .sort((a, b) => a.status - b.status),
    sample: formatSample(operation),
  };
}

/** The fields of a body, those of objects in it behind a dot. Of alternatives, all fields that any of them has. */
function listFields(
  schema: Schema,
  resolve: (schema: Schema) => Schema,
  prefix = "",
  depth = 0,
): ReferenceField[] {
  const own = resolve(schema);
  const variants = own.oneOf ?? own.anyOf;
  if (variants) {
    const all = variants.flatMap((variant) => listFields(variant, resolve, prefix, depth));
    return mergeFields(all, variants.length);
  }
  return Object.entries(own.properties ?? {}).flatMap(([name, field]) => {
    const row: ReferenceField = {
      name: prefix + name,
      type: formatType(field, resolve),
      required: own.required?.includes(name) === true,
      about: resolve(field).description ?? "",
    };
    return depth < DEEPEST ? [row, ...listFields(field, resolve, `${prefix}${name}.`, depth + 1)] : [row];
  });
}

/** A field that only some alternatives need is not required. */
function mergeFields(fields: ReferenceField[], variants: number): ReferenceField[] {
  const byName = new Map<string, ReferenceField[]>();
  for (const field of fields) byName.set(field.name, [...(byName.get(field.name) ?? []), field]);
  return [...byName.values()].flatMap((same) => {
    const [first] = same;
    if (!first) return [];
    const types = [...new Set(same.map(({ type }) => type))].join(" or ");
    return [
      { ...first, type: types, required: same.length === variants && same.every(({ required }) => required) },
    ];
  });
}

function formatType(schema: Schema, resolve: (schema: Schema) => Schema): string {
  const own = resolve(schema);
  if (own.const !== undefined) return JSON.stringify(own.const);
  if (own.enum) return own.enum.map((value) => JSON.stringify(value)).join(" or ");
  const variants = own.oneOf ?? own.anyOf;
  if (variants) return [...new Set(variants.map((variant) => formatType(variant, resolve)))].join(" or ");
  if (own.type === "array") return `list of ${own.items ? formatType(own.items, resolve) : "anything"}`;
  const type = [own.type ?? "anything"]
    .flat()
    .filter((name) => name !== "null")
    .join(" or ");
  return own.format ? `${type}, ${own.format}` : type;
}

/** A command that can be pasted, with the token in a variable. */
function formatCurl({ method, path, example, body, keyed }: Operation): string {
  const lines = [
    `curl ${method === "get" ? "" : `-X ${method.toUpperCase()} `}"${env().appOrigin}${path}"`,
    '-H "Authorization: Bearer $MAILROOM_TOKEN"',
    ...(keyed ? ['-H "Idempotency-Key: your-own-key-0001"'] : []),
    ...(body ? ['-H "Content-Type: application/json"', `-d '${JSON.stringify(example, null, 2)}'`] : []),
  ];
  return lines.join(" \\\n  ");
}

function formatSample({ answers }: Operation): string | null {
  const example = Object.values(answers).find((answer) => answer.example !== undefined)?.example;
  return example === undefined ? null : JSON.stringify(example, null, 2);
}
