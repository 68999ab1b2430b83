import type { Page } from "playwright/test";

const ANA = "auth-ana";

/** A response in the format of `POST /api/responses`; absent fields get defaults. */
interface SavedRow {
  method?: string;
  path?: string;
  tags?: string[];
  [field: string]: unknown;
}

/** Stores a response with the API that scripts use; returns its id. */
export async function storeResponse(page: Page, row: SavedRow): Promise<string> {
  const answer = await page.request.post("/api/responses", {
    data: {
      user_id: ANA,
      endpoint_category: "recipients",
      endpoint_preset: "recipients.list",
      method: "GET",
      path: "recipients/list",
      status_code: 200,
      duration_ms: 12,
      request_data: {
        base: "US",
        method: "GET",
        path: "recipients/list",
        query: { limit: "3" },
        headers: {},
        body: null,
      },
      response_data: { success: true, data: [] },
      response_headers: { "content-type": "application/json" },
      tags: [],
      ...row,
    },
  });
  if (!answer.ok()) throw new Error(await answer.text());
  return (await answer.json()).data.id;
}
