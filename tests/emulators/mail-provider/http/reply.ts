import type { Fields } from "./fields";

/** One answer of the provider, before it is written to the socket. */
export interface Reply {
  status: number;
  headers: Record<string, string>;
  body: string | Buffer;
}

/** A refusal with the provider's one free-text reason. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

export function replyJson(status: number, body: unknown): Reply {
  return { status, headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
}

/** `{success:true,data}` with HTTP 200. */
export function succeed(data: unknown): Reply {
  return replyJson(200, { success: true, data });
}

/** `{success:false,error}`; logical refusals may come with HTTP 200. */
export function refuse(status: number, error: string): Reply {
  return replyJson(status, { success: false, error });
}

/** @throws Refusal 400 naming the first field that is absent or empty */
export function requireFields(fields: Fields, ...names: string[]): void {
  for (const name of names) {
    const value = fields[name];
    if (value === undefined || value === null || value === "") {
      throw new Refusal(400, `Missing mandatory parameter: ${name}`);
    }
  }
}
