import { z } from "zod";
import { env } from "~/platform/env.server";
import { FAILURE_CODES, type FailureCode } from "~/platform/outcome";
import { proxyResponse } from "~/proxy/answer.schema.server";
import { storedResponse } from "~/responses/stored-response.schema.server";
import { EVENT_BODIES } from "~/webhooks/event.schema.server";
import { HOW_OFTEN_TRIED } from "~/webhooks/retry-schedule";
import * as answers from "./answers.server";
import { formatChapters } from "./chapters.server";
import { listFailures, type Operation } from "./operation.server";
import { OPERATIONS } from "./operations.server";
import {
  cancelledPiece,
  createdPiece,
  failure,
  newPiece,
  onePiece,
  piece,
  pieceList,
} from "./piece.schema.server";

type Json = Record<string, unknown>;

/** Objects that the document describes once, by name. */
const NAMED: Record<string, z.ZodType> = {
  NewPiece: newPiece,
  Piece: piece,
  CreatedPiece: createdPiece,
  OnePiece: onePiece,
  PieceList: pieceList,
  CancelledPiece: cancelledPiece,
  ProxyResponse: proxyResponse,
  MailItem: answers.mailItem,
  MailRecipient: answers.mailRecipient,
  StoredResponse: storedResponse,
  CreditUser: answers.creditUser,
  Transaction: answers.transaction,
  User: answers.user,
  Failure: failure,
};
for (const [id, schema] of Object.entries(NAMED)) {
  z.globalRegistry.add(schema, { ...z.globalRegistry.get(schema), id });
}
const SCHEMAS = "#/components/schemas/";

let document: Json | undefined;

/** Builds the OpenAPI 3.1 document from the schemas of the routes, once per process. */
export function buildOpenApi(): Json {
  if (document) return document;
  document = {
    openapi: "3.1.0",
    info: { title: "Mailroom", version: "1", description: formatChapters() },
    servers: [{ url: env().appOrigin }],
    security: [{ token: [] }],
    tags: [...new Set(OPERATIONS.map(({ group }) => group))].map((name) => ({ name })),
    paths: buildPaths(),
    webhooks: Object.fromEntries(EVENT_BODIES.map((event) => [event.type, { post: buildEvent(event) }])),
    components: {
      securitySchemes: { token: { type: "http", scheme: "bearer", description: "A personal access token." } },
      schemas: Object.fromEntries(Object.keys(NAMED).map((name) => [name, describeNamed(name)])),
    },
  };
  return document;
}

function buildPaths(): Json {
  const paths: Record<string, Json> = {};
  for (const operation of OPERATIONS) {
    const { path, method } = operation;
    paths[path] = { ...paths[path], [method.toLowerCase()]: buildOperation(operation) };
  }
  return paths;
}

function buildEvent({ type, description, schema, example }: (typeof EVENT_BODIES)[number]): Json {
  return {
    operationId: `on${type.replace(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
    tags: ["Webhooks"],
    summary: description,
    description: `Signed by the Standard Webhooks scheme. Attempted up to ${HOW_OFTEN_TRIED} until it is answered with 2xx.`,
    security: [],
    parameters: SIGNATURE_HEADERS,
    requestBody: { required: true, content: toContent(toSchema(schema, "output"), example) },
    responses: { "2XX": { description: "Delivered." }, 410: { description: "Send no more events here." } },
  };
}

const SIGNATURE_HEADERS = [
  ["webhook-id", "The message's id, the same at each try."],
  ["webhook-timestamp", "Seconds since 1970, of this try."],
  ["webhook-signature", "One signature for each secret that is valid now, with spaces between them."],
].map(([name, description]) => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string" },
}));

function buildOperation(operation: Operation): Json {
  const { id, group, summary, description, scope, path, query, body, example, keyed, samples } = operation;
  const parameters: Json[] = [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
      name,
      in: "path",
      required: true,
      schema: { type: "string" },
    })),
    ...(query ? listParameters(query) : []),
    ...(keyed ? [KEY_PARAMETER] : []),
  ].map((parameter) => {
    const sample = samples?.[String(parameter.name)];
    return sample === undefined ? parameter : { ...parameter, example: sample };
  });
  return {
    operationId: id,
    tags: [group],
    summary,
    description: [description, `Scope: ${formatScope(scope)}.`].filter(Boolean).join("\n\n"),
    "x-scope": scope,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body
      ? { requestBody: { required: true, content: toContent(toSchema(body, "input"), example) } }
      : {}),
    responses: { ...buildAnswers(operation), ...buildFailures(listFailures(operation), operation.failure) },
  };
}

const KEY_PARAMETER = {
  name: "Idempotency-Key",
  in: "header",
  description:
    "A key of your own, one for each piece, adjustment or saved response. A repeated request has no second effect.",
  schema: { type: "string", pattern: "^[A-Za-z0-9._:-]{10,200}$" },
};

export function formatScope(scope: Operation["scope"]): string {
  return scope === "by-request" ? "`send:test` for a test, `send:live` for live mail" : `\`${scope}\``;
}

function buildAnswers({ answers }: Operation): Json {
  return Object.fromEntries(
    Object.entries(answers).map(([status, [description, schema, example]]) => {
      const mediaType = schema instanceof z.ZodFile ? "application/pdf" : "application/json";
      return [status, { description, content: toContent(toSchema(schema, "output"), example, mediaType) }];
    }),
  );
}

function buildFailures(all: readonly FailureCode[], schema: z.ZodType = failure): Json {
  const byStatus = new Map<number, FailureCode[]>();
  for (const code of all) {
    const { status } = FAILURE_CODES[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      {
        description: codes.map((code) => `\`${code}\`: ${FAILURE_CODES[code].words}`).join("\n\n"),
        content: {
          "application/json": {
            schema: toSchema(schema, "output"),
            examples: Object.fromEntries(codes.map((code) => [code, { value: makeExample(code) }])),
          },
        },
      },
    ]),
  );
}

function makeExample(code: FailureCode): Json {
  const details = code === "missing_scope" ? { details: "send:live" } : {};
  const error = FAILURE_CODES[code].words.replaceAll("`", "");
  return { success: false, error, code, request_id: "0b7e2a44-8d0f-4f6b-9a55-0c2f3b1f6d11", ...details };
}

function listParameters(schema: z.ZodType): Json[] {
  const { properties = {}, required = [] } = toSchema(schema, "input") as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...own }]) => ({
    name,
    in: "query",
    required: required.includes(name) && !("default" in own),
    ...(description === undefined ? {} : { description }),
    schema: own,
  }));
}

function toContent(schema: Json, example: unknown, mediaType = "application/json"): Json {
  return { [mediaType]: { schema, ...(example === undefined ? {} : { example }) } };
}

/** Converts a schema. Named objects in it are references. */
function toSchema(schema: z.ZodType, io: "input" | "output"): Json {
  const { $schema: _dialect, $defs: _named, ...own } = convert(schema, io);
  return own;
}

function describeNamed(name: string): Json {
  const schema = NAMED[name] ?? failure;
  const { id: _name, ...own } = convert(schema, schema === newPiece ? "input" : "output").$defs?.[name] ?? {};
  return own;
}

function convert(schema: z.ZodType, io: "input" | "output"): z.core.JSONSchema.JSONSchema {
  const json = JSON.stringify(z.toJSONSchema(schema, { io, unrepresentable: "any" }));
  return JSON.parse(json.replaceAll("#/$defs/", SCHEMAS));
}
