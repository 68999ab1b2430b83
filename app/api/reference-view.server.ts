import { quote } from "shlex";
import type { z } from "zod";
import type { Viewer } from "~/people/viewer.server";
import { withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import { FAILURE_CODES } from "~/platform/outcome";
import { EVENT_BODIES } from "~/webhooks/event.schema.server";
import { listChapters, type ReferenceFold, type ReferencePart, type ReferenceTable } from "./chapters.server";
import { buildOpenApi, formatScope } from "./openapi.server";
import { listFailures, type Operation, SAMPLE } from "./operation.server";
import { OPERATIONS } from "./operations.server";
import { listPieces } from "./pieces.server";

type Schema = z.core.JSONSchema.JSONSchema;
type Content = { content: Record<string, { schema: Schema }> };
type Parameter = { name: string; in: string; required?: boolean; description?: string; schema: Schema };
type Described = { parameters?: Parameter[]; requestBody?: Content; responses: Record<string, Content> };
type Document = {
  paths: Record<string, Record<string, Described>>;
  webhooks: Record<string, { post: { requestBody: Content } }>;
  components: { schemas: Record<string, Schema> };
};

type Field = { name: string; type: string; required: boolean; about: string };

export type ReferenceView = Awaited<ReturnType<typeof buildReference>>;

/** The reader's own values by example value. */
type OwnValues = ReadonlyMap<string, string>;

const MOST_KEY_CHARS = 8;

/** Builds the reference from the document. A signed-in reader gets commands with their own values. */
export async function buildReference(viewer: Viewer | null) {
  const { paths, webhooks, components } = buildOpenApi() as Document;
  const own = await loadOwnValues(viewer);
  const groups = [...new Set(OPERATIONS.map(({ group }) => group))].map((name) => ({
    name,
    parts: OPERATIONS.filter(({ group }) => group === name).map((operation) => {
      const described = paths[operation.path]?.[operation.method.toLowerCase()] ?? { responses: {} };
      return toCallPart(operation, described, components.schemas, own);
    }),
  }));
  const events = EVENT_BODIES.map(({ type, description, example }) => {
    const schema = webhooks[type]?.post.requestBody.content["application/json"]?.schema ?? {};
    const folds = [...foldFields("Body", listFields(schema)), ...foldExample("Example body", example)];
    return { id: `event-${type}`, title: `\`${type}\``, text: [description], folds };
  });
  const objects = Object.entries(components.schemas)
    .filter(([, schema]) => schema.properties)
    .map(([name, schema]) => {
      return { id: name, title: `\`${name}\``, text: [], folds: foldFields("Fields", listFields(schema)) };
    });
  const all: { name: string; parts: ReferencePart[] }[] = [
    { name: "Rules", parts: listChapters() },
    ...groups,
    { name: "Events sent to you", parts: events },
    { name: "Objects", parts: objects },
  ];
  return { signedIn: viewer !== null, groups: all };
}

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
  const listed = await listPieces({ limit: 100 }, viewer);
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

function toCallPart(
  operation: Operation,
  { parameters = [], requestBody, responses }: Described,
  objects: Record<string, Schema>,
  own: OwnValues,
): ReferencePart {
  const { id, method, path, summary, description, scope, answers } = operation;
  return {
    ...{ id, title: summary, call: { method, path } },
    text: [...(description ? [description] : []), `Scope: ${formatScope(scope)}`],
    folds: [
      foldCommand(operation, own),
      ...foldFields("Parameters", parameters.map(toField)),
      ...foldBodies(requestBody?.content["application/json"]?.schema ?? {}, objects),
      ...Object.entries(answers).map(([status, [about]]) => {
        const { schema = {} } = Object.values(responses[status]?.content ?? {})[0] ?? {};
        return {
          title: `Answer ${status}`,
          about,
          text: formatType(schema),
          table: toTable(listFields(schema)),
        };
      }),
      ...foldExample("Example answer", Object.values(answers).find(([, , example]) => example)?.[2]),
    ],
    failures: listFailures(operation)
      .map((code) => `${FAILURE_CODES[code].status} \`${code}\``)
      .sort()
      .join(", "),
  };
}

/** A command to paste. Two calls can also be built in the Builder. */
function foldCommand(operation: Operation, own: OwnValues): ReferenceFold {
  const { id, summary } = operation;
  const code = formatCurl(operation, own);
  const missing = Object.values(SAMPLE).filter((sample) => code.includes(sample) && !own.has(sample));
  const values = missing.map((value) => `\`${value}\``).join(", ");
  return {
    ...{ title: "Try it", isOpen: id === "createPiece", code, copied: `command: ${summary}` },
    builder: id === "callProvider" || id === "createPiece" ? "/?preset=postcards.create" : undefined,
    hint: missing.length > 0 ? `Put a value of your own in place of ${values}.` : undefined,
  };
}

/** The alternatives of a body: a letter and a postcard. */
function foldBodies(schema: Schema, objects: Record<string, Schema>): ReferenceFold[] {
  const body = schema.$ref ? (objects[schema.$ref.split("/").at(-1) ?? ""] ?? {}) : schema;
  return (body.oneOf ?? [body]).flatMap((variant) => {
    const { const: name } = (variant.properties?.type ?? {}) as Schema;
    return foldFields(name ? `Body of a ${name}` : "Body", listFields(variant));
  });
}

function foldFields(title: string, fields: Field[]): ReferenceFold[] {
  return fields.length === 0 ? [] : [{ title, about: String(fields.length), table: toTable(fields) }];
}

function foldExample(title: string, example: unknown): ReferenceFold[] {
  return example === undefined ? [] : [{ title, code: JSON.stringify(example, null, 2) }];
}

function toTable(fields: Field[]): ReferenceTable | undefined {
  const rows = fields.map(({ name, type, required, about }) => [
    `\`${name}\`${required ? " required" : ""}`,
    type,
    about,
  ]);
  return rows.length === 0 ? undefined : { head: ["Name", "Type", "Meaning"], rows, hasNames: true };
}

function toField({ name, in: place, required = false, description = "", schema }: Parameter): Field {
  const type = `${place === "query" ? "" : `${place}, `}${formatType(schema)}`;
  return { name, type, required, about: description };
}

/** Lists the fields of an object, nested ones with a dot. Named objects have their own table. */
function listFields(schema: Schema, prefix = ""): Field[] {
  const variants = schema.oneOf ?? schema.anyOf;
  if (variants) {
    return variants.flatMap((variant) =>
      listFields(variant, prefix).map((field) => ({
        ...field,
        about: [variant.title && `${variant.title}.`, field.about].filter(Boolean).join(" "),
      })),
    );
  }
  if (schema.items) return listFields(schema.items as Schema, `${prefix.replace(/\.$/, "")}[].`);
  return Object.entries((schema.properties ?? {}) as Record<string, Schema>).flatMap(([name, field]) => [
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
  return [variants ? [...new Set(variants.map(formatType))].join(" or ") : nameType(schema), ...rules]
    .filter(Boolean)
    .join(", ");
}

function nameType({ const: only, enum: values, type, items, additionalProperties }: Schema): string {
  if (only !== undefined) return `\`${JSON.stringify(only)}\``;
  if (values) return values.map((value) => `\`${JSON.stringify(value)}\``).join(" or ");
  if (type === "array") return `list of ${items ? formatType(items as Schema) : "anything"}`;
  const inner = typeof additionalProperties === "object" && type === "object" ? additionalProperties : null;
  return `${[type ?? "anything"].flat().join(" or ")}${inner && Object.keys(inner).length > 0 ? ` of ${formatType(inner)}` : ""}`;
}

function formatRange(low: number | undefined, high: number | undefined, unit: string): string | null {
  const least = low === undefined || low <= Number.MIN_SAFE_INTEGER ? undefined : low;
  const most = high === undefined || high >= Number.MAX_SAFE_INTEGER ? undefined : high;
  if (least === undefined) return most === undefined ? null : `up to ${most}${unit}`;
  return most === undefined ? `at least ${least}${unit}` : `${least} to ${most}${unit}`;
}

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
    `curl ${method === "GET" ? "" : `-X ${method} `}${quote(address)}`,
    '-H "Authorization: Bearer $MAILROOM_TOKEN"',
    ...(keyed ? [`-H "Idempotency-Key: ${key}"`] : []),
    ...(body ? ['-H "Content-Type: application/json"', `-d ${quote(json)}`] : []),
  ].join(" \\\n  ");
}
