import { makeSessionCookie } from "../console/session-cookie";

/** A person's actions on a list, posted as a browser without JavaScript posts them. */
export interface ListClient {
  id: string;
  /** The origin of the console. */
  origin: string;
  post(intent: string, fields?: Record<string, string | Blob>): Promise<number>;
  /** The page's text without tags. */
  page(search?: string): Promise<string>;
}

/** Rows of different people; `change` may spoil some. */
export function makeCsv(
  rows: number,
  change: (cells: string[], at: number) => string[] = (cells) => cells,
): string {
  const header = ["First name", "Last name", "Address", "City", "ZIP", "Country", "Code"];
  const lines = Array.from({ length: rows }, (_, at) =>
    change([`Ana${at}`, "Lopez", `${at + 1} Main Street`, "Portland", "97205", "US", `C-${at}`], at),
  );
  return [header, ...lines].map((cells) => cells.map((cell) => `"${cell}"`).join(",")).join("\r\n");
}

/** Creates a list of a postcard in the Builder. @param payer the user who pays */
export async function makeList(origin: string, subject: string, payer: string): Promise<ListClient> {
  const cookie = await makeSessionCookie(subject);
  const draft = new FormData();
  const fields = {
    intent: "list",
    method: "POST",
    path: "postcards/create",
    user_id: payer,
    "field.size": "4x6",
    "field.template": "21001",
    "field.message": "Hello {firstname}, your code is {code}.",
    body_follows: "1",
  };
  for (const [name, value] of Object.entries(fields)) draft.set(name, value);
  const made = await fetch(`${origin}/?index&preset=postcards.create`, {
    method: "POST",
    body: draft,
    headers: { Cookie: cookie, Origin: origin },
    redirect: "manual",
  });
  const address = made.headers.get("Location") ?? "";
  const id = /^\/bulk\/([\w-]+)$/.exec(address)?.[1];
  if (!id) throw new Error(`No list was made: ${made.status} ${(await made.text()).slice(0, 500)}`);
  const client: ListClient = {
    id,
    origin,
    async post(intent, fields = {}) {
      const form = new FormData();
      form.set("intent", intent);
      for (const [name, value] of Object.entries(fields)) form.set(name, value);
      const reply = await fetch(`${client.origin}${address}`, {
        method: "POST",
        body: form,
        headers: { Cookie: cookie, Origin: client.origin },
        redirect: "manual",
      });
      await reply.text();
      return reply.status;
    },
    async page(search = "") {
      const reply = await fetch(`${client.origin}${address}${search}`, { headers: { Cookie: cookie } });
      return (await reply.text())
        .replace(/<(script|style)[\s\S]*?<\/\1>/g, "")
        .replace(/<[^>]+>/g, " ")
        .replaceAll("&#x27;", "'")
        .replace(/\s+/g, " ");
    },
  };
  return client;
}
