import type { ActionFunctionArgs } from "@remix-run/node";

interface Asked {
  path: string;
  method: string;
  body?: unknown;
}

/** Nothing but the call: the request with the key goes to the provider, and its answer comes back in our envelope. */
export async function action({ request }: ActionFunctionArgs): Promise<Response> {
  const { path, method, body } = (await request.json()) as Asked;
  const startedAt = performance.now();
  const url = `${process.env.PROVIDER_URL}/${path}`;
  const answer = await fetch(url, {
    method,
    headers: {
      Authorization: `Basic ${btoa(`${process.env.PROVIDER_KEY}:`)}`,
      "Content-Type": "application/json",
      Accept: "application/json",
    },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await answer.text();
  const { data } = JSON.parse(text) as { data: unknown };
  return Response.json({
    status: answer.status,
    data,
    text,
    durationMs: Math.round(performance.now() - startedAt),
    url,
    headers: Object.fromEntries(answer.headers),
  });
}
