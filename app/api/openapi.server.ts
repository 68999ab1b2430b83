import { z } from "zod";
import { env } from "~/platform/env.server";
import { statusOf } from "~/platform/http/replies.server";
import type { FailureCode } from "~/platform/outcome";
import { EVENT_BODIES } from "~/webhooks/event.schema.server";
import { HOW_OFTEN_TRIED } from "~/webhooks/messages";
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

/** The description of the API for programs, OpenAPI 3.1, made of the schemas that the routes use. */

type Json = Record<string, unknown>;

const NAMED_REQUESTS = { NewPiece: newPiece };
const NAMED_ANSWERS = {
  Piece: piece,
  CreatedPiece: createdPiece,
  OnePiece: onePiece,
  PieceList: pieceList,
  CancelledPiece: cancelledPiece,
  Failure: failure,
};
const FAILURE = { $ref: "#/components/schemas/Failure" };

/** The meaning of each failure for a program. */
export const FAILURE_WORDS: Record<FailureCode, string> = {
  bad_input: "Something in the request is wrong; the sentence names it.",
  signed_out: "No token, or one that is unknown, expired or revoked.",
  insufficient_credits: "Too few credits; `shortfall` says how many are missing.",
  forbidden: "Only admins may do this, or the address is not allowed.",
  missing_scope: "The token does not have the scope that `details` names.",
  needs_approval: "It costs more than one person may send alone. Another person can approve it as a list.",
  limit_reached: "A daily limit of credits would be exceeded.",
  not_found: "There is no such thing.",
  method_not_allowed: "The address takes other methods.",
  in_progress: "The same piece is being worked on right now.",
  duplicate: "The same content was sent to the same address before; `piece_id` names it.",
  too_large: "The body is too large.",
  unsupported_media_type: "The body is not JSON.",
  key_reused: "The key was used for another request.",
  too_complex: "It takes too long to work through.",
  rate_limited: "Too many requests; `Retry-After` says how long to wait.",
  overloaded: "Too much work right now; `Retry-After` says how long to wait.",
  not_configured: "This part of Mailroom is not configured.",
  provider_refused: "The provider refused it. Nothing was charged.",
  provider_unreachable: "The provider cannot be reached.",
  provider_timeout: "The provider did not answer in time.",
  database_unavailable: "The database is away. Live mail is not sent meanwhile.",
};

let document: Json | undefined;

/** The whole document. Made once: nothing in it changes while the process runs. */
export function buildOpenApi(): Json {
  document ??= {
    openapi: "3.1.0",
    info: {
      title: "Mailroom",
      version: "1",
      description:
        "Send letters and postcards, and read what became of them. Create a token on the Profile page. Every answer has `X-Request-Id`.",
    },
    servers: [{ url: env().appOrigin }],
    security: [{ token: [] }],
    tags: [...new Set(OPERATIONS.map(({ group }) => group))].map((name) => ({ name })),
    paths: buildPaths(),
    webhooks: Object.fromEntries(EVENT_BODIES.map((event) => [event.type, { post: buildEvent(event) }])),
    components: {
      securitySchemes: {
        token: { type: "http", scheme: "bearer", description: "A personal access token." },
      },
      schemas: { ...buildSchemas(NAMED_REQUESTS, "input"), ...buildSchemas(NAMED_ANSWERS, "output") },
    },
  };
  return document;
}

function buildPaths(): Json {
  const paths: Record<string, Json> = {};
  for (const operation of OPERATIONS) {
    const { path, method } = operation;
    paths[path] = { ...paths[path], [method]: buildOperation(operation) };
  }
  return paths;
}

/** A request of ours to a receiver. */
function buildEvent({ type, about, schema, example }: (typeof EVENT_BODIES)[number]): Json {
  return {
    operationId: `on${type.replace(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
    tags: ["Webhooks"],
    summary: about,
    description: `Signed by the Standard Webhooks scheme. Tried ${HOW_OFTEN_TRIED} until it is answered with 2xx.`,
    security: [],
    parameters: SIGNATURE_HEADERS,
    requestBody: { required: true, content: toContent(schema, "output", example) },
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
  const { id, group, summary, description, scope, path, query, body, example, answers, keyed } = operation;
  const parameters = [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
      name,
      in: "path",
      required: true,
      schema: { type: "string" },
    })),
    ...(query ? listParameters(query) : []),
    ...(keyed ? [KEY_PARAMETER] : []),
  ];
  return {
    operationId: id,
    tags: [group],
    summary,
    description: [description, `Scope: ${formatScope(scope)}.`].filter(Boolean).join("\n\n"),
    "x-scope": scope,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: { required: true, content: toContent(body, "input", example) } } : {}),
    responses: { ...buildAnswers(answers), ...buildFailures(listFailures(operation)) },
  };
}

const KEY_PARAMETER = {
  name: "Idempotency-Key",
  in: "header",
  description: "A key of your own, one for each piece. Repeating a request with it does nothing twice.",
  schema: { type: "string", pattern: "^[A-Za-z0-9._:-]{10,200}$" },
};

/** In words. */
export function formatScope(scope: Operation["scope"]): string {
  return scope === "by-request" ? "`send:test` for a test, `send:live` for live mail" : `\`${scope}\``;
}

function buildAnswers(answers: Operation["answers"]): Json {
  return Object.fromEntries(
    Object.entries(answers).map(([status, { description, schema, example }]) => [
      status,
      { description, content: toContent(schema, "output", example) },
    ]),
  );
}

function buildFailures(all: readonly FailureCode[]): Json {
  const byStatus = new Map<number, FailureCode[]>();
  for (const code of all) {
    const status = statusOf({ code, message: "" });
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      {
        description: codes.map((code) => `\`${code}\`: ${FAILURE_WORDS[code]}`).join("\n\n"),
        content: {
          "application/json": {
            schema: FAILURE,
            examples: Object.fromEntries(codes.map((code) => [code, { value: makeExample(code) }])),
          },
        },
      },
    ]),
  );
}

function makeExample(code: FailureCode): Json {
  const details = code === "missing_scope" ? { details: "send:live" } : {};
  const error = FAILURE_WORDS[code].replaceAll("`", "");
  return { success: false, error, code, request_id: "0b7e2a44-8d0f-4f6b-9a55-0c2f3b1f6d11", ...details };
}

/** A schema's fields as parameters of a query. */
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

function toContent(schema: z.ZodType, io: "input" | "output", example: unknown): Json {
  return {
    "application/json": { schema: toSchema(schema, io), ...(example === undefined ? {} : { example }) },
  };
}

/** A named schema by its name, any other in place. */
function toSchema(schema: z.ZodType, io: "input" | "output"): Json {
  const named = Object.entries({ ...NAMED_REQUESTS, ...NAMED_ANSWERS }).find(([, one]) => one === schema);
  if (named) return { $ref: `#/components/schemas/${named[0]}` };
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return rest;
}

function buildSchemas(schemas: Record<string, z.ZodType>, io: "input" | "output"): Json {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(schemas)) registry.add(schema, { id });
  const made = z.toJSONSchema(registry, { io, uri: (id) => `#/components/schemas/${id}` }).schemas;
  return Object.fromEntries(
    Object.entries(made).map(([id, { $schema: _dialect, $id: _address, ...rest }]) => [id, rest]),
  );
}
