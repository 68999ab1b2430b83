import { quote } from "shlex";
import type { Viewer } from "~/people/viewer.server";
import { withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import { FAILURE_STATUS } from "~/platform/http/replies.server";
import { EVENT_BODIES } from "~/webhooks/event.schema.server";
import { listChapters } from "./chapters.server";
import { SAMPLE } from "./examples";
import { EVERY_PIECE, listPieces } from "./load-pieces.server";
import { buildOpenApi, formatScope } from "./openapi.server";
import { listFailures, type Operation } from "./operation.server";
import { OPERATIONS } from "./operations.server";

type Schema = {
  $ref?: string;
  title?: string;
  type?: string | string[];
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  const?: unknown;
  enum?: unknown[];
  description?: string;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  default?: unknown;
};
type Content = { content: Record<string, { schema: Schema }> };
type Described = {
  parameters?: { name: string; in: string; required?: boolean; description?: string; schema: Schema }[];
  requestBody?: Content;
  responses: Record<string, Content>;
};
type Document = {
  paths: Record<string, Record<string, Described>>;
  webhooks: Record<string, { post: { requestBody: Content } }>;
  components: { schemas: Record<string, Schema> };
};

export interface ReferenceField {
  name: string;
  type: string;
  required: boolean;
  about: string;
}

export type ReferenceView = Awaited<ReturnType<typeof buildReference>>;
export type ReferenceCall = ReturnType<typeof toReferenceCall>;
export type ReferenceEvent = ReferenceView["events"][number];

/** The reader's own values by example value. */
type OwnValues = ReadonlyMap<string, string>;

const MOST_KEY_CHARS = 8;

/** Builds the reference from the document. Words between backticks are code. A signed-in reader gets commands with their own values. */
export async function buildReference(viewer: Viewer | null) {
  const { paths, webhooks, components } = buildOpenApi() as Document;
  const own = await loadOwnValues(viewer);
  const groups = [...new Set(OPERATIONS.map(({ group }) => group))];
  return {
    signedIn: viewer !== null,
    chapters: listChapters(),
    groups: groups.map((name) => ({
      name,
      calls: OPERATIONS.filter(({ group }) => group === name).map((operation) =>
        toReferenceCall(
          operation,
          paths[operation.path]?.[operation.method] ?? { responses: {} },
          components.schemas,
          own,
        ),
      ),
    })),
    events: EVENT_BODIES.map(({ type, about, example }) => ({
      type,
      about,
      fields: listFields(webhooks[type]?.post.requestBody.content["application/json"]?.schema ?? {}),
      sample: JSON.stringify(example, null, 2),
    })),
    objects: Object.entries(components.schemas)
      .filter(([, schema]) => schema.properties)
      .map(([name, schema]) => ({ name, fields: listFields(schema) })),
  };
}

/** Loads the reader's own IDs, if there is a database. */
async function loadOwnValues(viewer: Viewer | null): Promise<OwnValues> {
  const own = new Map<string, string>([[SAMPLE.origin, env().appOrigin]]);
  if (viewer === null) return own;
  own.set(SAMPLE.userId, viewer.id);
  const loaded = await withDatabase((db) =>
    Promise.all([
      db.mailRecipient.findFirst({
        where: { userId: viewer.id, deletedAt: null, recipientId: { not: null } },
        orderBy: { createdAt: "desc" },
      }),
      db.storedResponse.findFirst({
        where: { userId: viewer.id, deletedAt: null },
        orderBy: { createdAt: "desc" },
      }),
      db.webhookEndpoint.findFirst({ where: { disabledAt: null }, select: { id: true } }),
    ]),
  );
  const listed = await listPieces({ ...EVERY_PIECE, userId: viewer.id, limit: 100 }, viewer);
  const [recipient, response, endpoint] = loaded.ok ? loaded.value : [];
  const [newest] = listed.ok ? listed.value.rows : [];
  const live = listed.ok ? listed.value.rows.find(({ state }) => state === "accepted") : undefined;
  const found = {
    pieceId: newest?.id,
    livePieceId: live?.id,
    providerId: live?.provider_id,
    recipientId: recipient?.recipientId,
    responseId: response?.id,
    endpointId: endpoint?.id,
  };
  for (const [name, value] of Object.entries(found)) {
    if (value) own.set(SAMPLE[name as keyof typeof found], value);
  }
  return own;
}

function toReferenceCall(
  operation: Operation,
  { parameters = [], requestBody, responses }: Described,
  objects: Record<string, Schema>,
  own: OwnValues,
) {
  const { id, method, path, summary, description, scope, answers } = operation;
  const curl = formatCurl(operation, own);
  return {
    id,
    method: method.toUpperCase(),
    path,
    summary,
    description: description ?? null,
    scope: formatScope(scope),
    parameters: parameters.map(({ name, in: place, required, description: about, schema }) => ({
      name,
      type: `${place === "query" ? "" : `${place}, `}${formatType(schema)}`,
      required: required === true,
      about: about ?? "",
    })),
    bodies: requestBody ? listBodies(requestBody.content["application/json"]?.schema ?? {}, objects) : [],
    curl,
    /** Values in the command that the reader must replace. */
    missing: Object.values(SAMPLE).filter((sample) => curl.includes(sample) && own.get(sample) === undefined),
    answers: Object.entries(answers).map(([status, answer]) => {
      const { mediaType = "application/json" } = answer;
      const schema = responses[status]?.content[mediaType]?.schema ?? {};
      return { status, about: answer.description, type: formatType(schema), fields: listFields(schema) };
    }),
    failures: listFailures(operation)
      .map((code) => `${FAILURE_STATUS[code]} \`${code}\``)
      .sort()
      .join(", "),
    sample: formatSample(operation),
  };
}

/** Lists the alternatives of a body: a letter and a postcard. */
function listBodies(schema: Schema, objects: Record<string, Schema>) {
  const body = schema.$ref ? (objects[schema.$ref.split("/").at(-1) ?? ""] ?? {}) : schema;
  return (body.oneOf ?? [body]).map((variant) => ({
    name: String(variant.properties?.type?.const ?? ""),
    fields: listFields(variant),
  }));
}

/** Lists the fields of an object, nested ones with a dot. Named objects have their own table. */
function listFields(schema: Schema, prefix = ""): ReferenceField[] {
  const variants = schema.oneOf ?? schema.anyOf;
  if (variants) {
    return variants.flatMap((variant) =>
      listFields(variant, prefix).map((field) => ({
        ...field,
        about: [variant.title && `${variant.title}.`, field.about].filter(Boolean).join(" "),
      })),
    );
  }
  if (schema.items) return listFields(schema.items, `${prefix.replace(/\.$/, "")}[].`);
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [
    {
      name: prefix + name,
      type: formatType(field),
      required: schema.required?.includes(name) === true,
      about: field.description ?? "",
    },
    ...listFields(field, `${prefix}${name}.`),
  ]);
}

/** Formats a type with its rules: "string or null, 1 to 200 characters". */
function formatType(schema: Schema): string {
  if (schema.$ref) return `\`${schema.$ref.split("/").at(-1)}\``;
  const variants = schema.oneOf ?? schema.anyOf;
  const rules = [
    schema.format,
    schema.pattern && `\`${schema.pattern}\``,
    formatRange(schema.minLength, schema.maxLength, " characters"),
    formatRange(schema.minItems, schema.maxItems, " items"),
    formatRange(schema.minimum, schema.maximum, ""),
    schema.default !== undefined && `default \`${JSON.stringify(schema.default)}\``,
  ];
  return [variants ? joinTypes(variants) : nameType(schema), ...rules].filter(Boolean).join(", ");
}

function nameType({ const: only, enum: values, type, items, additionalProperties }: Schema): string {
  if (only !== undefined) return `\`${JSON.stringify(only)}\``;
  if (values) return values.map((value) => `\`${JSON.stringify(value)}\``).join(" or ");
  if (type === "array") return `list of ${items ? formatType(items) : "anything"}`;
  const inner = typeof additionalProperties === "object" && type === "object" ? additionalProperties : null;
  return `${[type ?? "anything"].flat().join(" or ")}${inner && Object.keys(inner).length > 0 ? ` of ${formatType(inner)}` : ""}`;
}

function joinTypes(variants: Schema[]): string {
  return [...new Set(variants.map(formatType))].join(" or ");
}

function formatRange(low: number | undefined, high: number | undefined, unit: string): string | null {
  const least = low === undefined || low <= Number.MIN_SAFE_INTEGER ? undefined : low;
  const most = high === undefined || high >= Number.MAX_SAFE_INTEGER ? undefined : high;
  if (least === undefined) return most === undefined ? null : `up to ${most}${unit}`;
  return most === undefined ? `at least ${least}${unit}` : `${least} to ${most}${unit}`;
}

/** Formats a command to paste, with the token in a variable. */
function formatCurl(
  { id, method, path, samples = {}, example, body, keyed }: Operation,
  own: OwnValues,
): string {
  const toOwn = (text: string) =>
    own.get(text) ?? text.replace(SAMPLE.origin, own.get(SAMPLE.origin) ?? SAMPLE.origin);
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(toOwn(samples[name] ?? "")),
  );
  const query = new URLSearchParams(
    Object.entries(samples).flatMap(([name, value]) =>
      path.includes(`{${name}}`) ? [] : [[name, toOwn(value)]],
    ),
  );
  const address = `${env().appOrigin}${filled}${query.size > 0 ? `?${query}` : ""}`;
  const json = JSON.stringify(example, (_, value) => (typeof value === "string" ? toOwn(value) : value), 2);
  // A new key for each view of the page, so that two views are two requests.
  const key = `try-${id}-${crypto.randomUUID().slice(0, MOST_KEY_CHARS)}`;
  return [
    `curl ${method === "get" ? "" : `-X ${method.toUpperCase()} `}${quote(address)}`,
    '-H "Authorization: Bearer $MAILROOM_TOKEN"',
    ...(keyed ? [`-H "Idempotency-Key: ${key}"`] : []),
    ...(body ? ['-H "Content-Type: application/json"', `-d ${quote(json)}`] : []),
  ].join(" \\\n  ");
}

function formatSample({ answers }: Operation): string | null {
  const example = Object.values(answers).find((answer) => answer.example !== undefined)?.example;
  return example === undefined ? null : JSON.stringify(example, null, 2);
}
