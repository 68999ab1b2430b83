import type { ActionFunctionArgs } from "@remix-run/node";

/** Forwards the call to the provider with the key, and returns its answer in our envelope. */
export async function action({ request }: ActionFunctionArgs): Promise<Response> {
  const { path, method, body } = (await request.json()) as { path: string; method: string; body?: unknown };
  const startedAt = performance.now();
  const url = `${process.env.PROVIDER_URL}/${path}`;
  const answer = await fetch(url, {
    method,
    headers: {
      Authorization: `Basic ${btoa(`${process.env.PROVIDER_KEY}:`)}`,
      "Content-Type": "application/json",
    },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await answer.text();
  const { data } = JSON.parse(text) as { data: unknown };
  const durationMs = Math.round(performance.now() - startedAt);
  return Response.json({ status: answer.status, data, text, durationMs, url, headers: [...answer.headers] });
}
