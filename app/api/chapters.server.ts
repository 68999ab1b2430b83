import { env } from "~/platform/env.server";
import { DEFAULT_RATES, type RateKind } from "~/platform/env-variables.server";
import { FAILURE_CODES, type FailureCode } from "~/platform/outcome";
import { SCOPES } from "~/tokens/token-view";
import { HOW_OFTEN_TRIED } from "~/webhooks/retry-schedule";

/** A rule, call, event or object in the reference. Words between backticks are code. */
export interface ReferencePart {
  id: string;
  title: string;
  call?: { method: string; path: string };
  text: string[];
  table?: ReferenceTable;
  folds?: ReferenceFold[];
  failures?: string;
}

/** A detail of a part, closed at first. */
export interface ReferenceFold {
  title: string;
  about?: string;
  isOpen?: boolean;
  text?: string;
  table?: ReferenceTable;
  code?: string;
  /** Name of the code for its copy button. */
  copied?: string;
  /** Address of the same in the API Builder. */
  builder?: string;
  hint?: string;
}

export interface ReferenceTable {
  head: string[];
  rows: string[][];
  /** True when the first column has long names that may break anywhere. */
  hasNames?: boolean;
}

const RATES: Partial<Record<RateKind, string>> = {
  send: "`POST` of pieces, of `/api/stannp`, of cancels and refreshes",
  search: "`GET /api/responses`",
  export: "`GET` of a piece's PDF",
  write: "any other `POST` or `DELETE`",
  read: "any other `GET`",
};

/** A program's next step after a failure. Other failures are not retried. */
const RETRIES: Partial<Record<FailureCode, string>> = {
  in_progress: "after a second, with the same key",
  rate_limited: "after `Retry-After`",
  overloaded: "after `Retry-After`",
  provider_unreachable: "later, with the same key",
  provider_timeout: "later, with the same key",
  database_unavailable: "later, with the same key",
  internal_error: "later, with the same key",
};

const JAVASCRIPT = `import { createHmac, timingSafeEqual } from "node:crypto";

// body: the text of the request as it arrived, before any JSON parser
export function verify(headers, body, secret) {
  const id = headers["webhook-id"];
  const timestamp = headers["webhook-timestamp"];
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > 300) throw new Error("too old");
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const expected = createHmac("sha256", key).update(\`\${id}.\${timestamp}.\${body}\`).digest();
  const valid = headers["webhook-signature"].split(" ").some((one) => {
    const received = Buffer.from(one.replace("v1,", ""), "base64");
    return received.length === expected.length && timingSafeEqual(received, expected);
  });
  if (!valid) throw new Error("wrong signature");
  return JSON.parse(body);
}`;

const PYTHON = `import base64, hashlib, hmac, json, time

def verify(headers, body, secret):  # body: the bytes of the request as they arrived
    id, timestamp = headers["webhook-id"], headers["webhook-timestamp"]
    if abs(time.time() - int(timestamp)) > 300:
        raise ValueError("too old")
    key = base64.b64decode(secret.removeprefix("whsec_"))
    digest = hmac.new(key, f"{id}.{timestamp}.".encode() + body, hashlib.sha256).digest()
    expected = "v1," + base64.b64encode(digest).decode()
    if not any(hmac.compare_digest(expected, one) for one in headers["webhook-signature"].split(" ")):
        raise ValueError("wrong signature")
    return json.loads(body)`;

const PHP = `function verify(array $headers, string $body, string $secret): array  // $body: file_get_contents('php://input')
{
    [$id, $timestamp] = [$headers['webhook-id'], $headers['webhook-timestamp']];
    if (abs(time() - (int) $timestamp) > 300) {
        throw new Exception('too old');
    }
    $key = base64_decode(str_replace('whsec_', '', $secret));
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    foreach (explode(' ', $headers['webhook-signature']) as $one) {
        if (hash_equals($expected, $one)) {
            return json_decode($body, true);
        }
    }
    throw new Exception('wrong signature');
}`;

/** Lists the rules of all calls, for the page and the document's description. */
export function listChapters(): ReferencePart[] {
  const rates = env().rateLimits ?? DEFAULT_RATES;
  return [
    {
      id: "tokens",
      title: "Tokens and scopes",
      text: [
        "Create a token on the Profile page and send it as `Authorization: Bearer`. A token acts for its owner and does only what its scopes allow; each call below names the scope that it needs.",
      ],
      table: {
        head: ["Scope", "Allows"],
        rows: Object.entries(SCOPES).map(([scope, allows]) => [`\`${scope}\``, allows]),
      },
    },
    {
      id: "idempotency-keys",
      title: "Idempotency keys",
      text: [
        "Live mail at `/api/pieces` needs a key of your own, so that a retry never mails twice: 10 to 200 letters, digits, dots, dashes, colons or underscores, in the header `Idempotency-Key` or the field `idempotency_key`. Store it before you send. A good key names what the piece is for: `invoice-2026-0114`.",
        "A key belongs to a person, whichever of their tokens sends it. The same request with the same key gives the first outcome, with `replayed: true`, and does nothing. Another request with the key is refused with `key_reused`, and any request once the personal data of the key's piece was erased. A key is free again only when its piece certainly did not reach the provider. `GET /api/pieces?idempotency_key=` finds the piece of a key.",
      ],
      table: {
        head: ["Key of", "Kept"],
        rows: [
          ["a live piece", "permanently"],
          ["an adjustment of credits", "permanently"],
          ["a saved response", "until the response is deleted"],
          ["a test", "not at all: a test is free, and each one is new"],
        ],
      },
    },
    {
      id: "limits",
      title: "Limits",
      text: [
        "Each token has a number of requests per minute, by kind. Beyond it the answer is 429 `rate_limited` with `Retry-After` in seconds.",
        "A body has up to 20 MB for pieces, `/api/stannp` and saved responses, 64 KB for a refresh, and 16 KB elsewhere. A token and a person may have a daily limit of credits, in days of UTC: `limit_reached`.",
      ],
      table: {
        head: ["Requests", "Per minute"],
        rows: Object.entries(RATES).map(([kind, about]) => [
          about,
          env().rateLimits === null ? "no limit" : String(rates[kind as RateKind]),
        ]),
      },
    },
    {
      id: "errors",
      title: "Errors",
      text: [
        "Failures under `/api` return the object `Failure`; those of a built call at `/api/stannp` may return a `ProxyResponse`. Branch on `code`; show `error`, which names the wrong field, to people. `request_id` is also the header `X-Request-Id` of every answer: look it up in the API log (`/api-log`), and name it when you ask for help.",
      ],
      table: {
        head: ["Code", "Status", "Meaning"],
        rows: Object.entries(FAILURE_CODES).map(([code, { status, words }]) => [
          `\`${code}\``,
          String(status),
          words,
        ]),
      },
    },
    {
      id: "retries",
      title: "Retries",
      text: [
        "Repeat a request for the codes below and when no answer arrived, with the same key, after 1, 2, 4, 8 seconds and so on, up to a minute. Repeating any other refusal gives the same refusal.",
        "202 is no failure: the piece is `checking`. Do not send it again with another key. Read it with `GET /api/pieces/{id}` or wait for the events `piece.accepted` and `piece.refused`.",
      ],
      table: {
        head: ["Code", "Repeat"],
        rows: Object.entries(RETRIES).map(([code, when]) => [`\`${code}\``, when]),
      },
    },
    {
      id: "paging",
      title: "Paging",
      text: [
        "Lists are sorted by time, newest first. `limit`, where a list has it, is the number of rows. Give `next_cursor` of an answer as `cursor` to get the rows after it; it is null on the last page. `/api/mail/items` and `/api/mail/recipients` answer a bare array, and the cursor is in the header `X-Next-Cursor`.",
        "A cursor names a row, not a number of rows: new rows do not shift later pages.",
      ],
    },
    {
      id: "verifying-webhooks",
      title: "Verifying webhooks",
      text: [
        "Add an endpoint on the Webhooks page; its secret is shown once. Requests are signed by the Standard Webhooks scheme: one of its libraries, or the code below, verifies `webhook-id`, `webhook-timestamp` and `webhook-signature`. After a rotation a request has several signatures, separated by spaces.",
        `Answer 2xx within 15 seconds. Without that answer an event is attempted up to ${HOW_OFTEN_TRIED}, later if \`Retry-After\` says so. An event may arrive twice or out of order: \`webhook-id\` stays the same, and \`timestamp\` says when it happened. Answer 410 to get no more.`,
        "Events are kept for 30 days, also while no endpoint listens. What a receiver missed is sent again from its page, or by `POST /api/webhooks/{id}/replay`, in order and under the same `webhook-id`.",
      ],
      folds: [
        { title: "JavaScript", code: JAVASCRIPT, copied: "JavaScript code" },
        { title: "Python", code: PYTHON, copied: "Python code" },
        { title: "PHP", code: PHP, copied: "PHP code" },
      ],
    },
  ];
}

export function formatChapters(): string {
  const formatRow = (cells: string[]) => `| ${cells.join(" | ")} |`;
  return listChapters()
    .map(({ title, text, table, folds = [] }) =>
      [
        `# ${title}`,
        ...text,
        ...(table
          ? [[table.head, table.head.map(() => "---"), ...table.rows].map(formatRow).join("\n")]
          : []),
        ...folds.map((fold) => `\`\`\`${fold.title.toLowerCase()}\n${fold.code}\n\`\`\``),
      ].join("\n\n"),
    )
    .join("\n\n");
}
