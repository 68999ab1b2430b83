import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { ACCESS } from "~/access.server";
import { guardRoutes, type RouteAccess, refuseRequest } from "~/platform/http/gate.server";
import { succeed } from "~/platform/outcome";

const ROUTES = new URL("../../../app/routes/", import.meta.url);
const OURS = "http://localhost:3000";

function send(access: RouteAccess, method: string, headers: Record<string, string> = {}): Response | null {
  return refuseRequest({ method, headers: new Headers(headers) }, access);
}

test("every route file has a row, and every row a route file", () => {
  const files = readdirSync(ROUTES).map((name) => `routes/${name.replace(/\.tsx?$/, "")}`);
  expect(Object.keys(ACCESS).sort()).toEqual(files.sort());
});

test("only signed webhooks accept unchecked bytes", () => {
  for (const [id, { methods }] of Object.entries<RouteAccess>(ACCESS)) {
    for (const { caller, body } of Object.values(methods)) {
      expect(body === "bytes", id).toBe(caller.endsWith("-signature"));
    }
  }
});

test("a caller without a session or signature may send up to 16 KB, except for the text of a Builder request", () => {
  const large = Object.entries<RouteAccess>(ACCESS).flatMap(([id, access]) =>
    Object.entries(access.methods)
      .filter(([, { limits }]) => (limits?.anonymousBytes ?? 0) > 16 * 1024)
      .map(([method]) => `${method} ${id}`),
  );
  expect(large).toEqual(["POST routes/_index"]);
});

test("every method for signed-in callers names its scope except the Profile, and the API alone accepts tokens", () => {
  for (const [id, { methods, tokens = false }] of Object.entries<RouteAccess>(ACCESS)) {
    const callers = Object.entries(methods).map(([method, { caller, scope }]) => {
      const needsScope = caller === "signed-in" && id !== "routes/profile";
      if (needsScope) expect(scope, `${method} ${id}`).toBeDefined();
      return caller;
    });
    expect(tokens, id).toBe(id.startsWith("routes/api.") && callers.includes("signed-in"));
  }
});

describe("a JSON route", () => {
  const access = ACCESS["routes/api.credits"];
  const json = { "Content-Type": "application/json; charset=utf-8" };

  test.each([
    { Origin: "https://evil.example" },
    { Origin: "null" },
    { Origin: `${OURS}.evil.example` },
    { "Sec-Fetch-Site": "cross-site" },
    { "Sec-Fetch-Site": "same-site", Origin: OURS },
  ])("refuses another site: %o", (headers) => {
    expect(send(access, "POST", { ...json, ...(headers as Record<string, string>) })?.status).toBe(403);
  });

  test("accepts a token from anywhere, and no other route does", () => {
    const foreign = { ...json, Origin: "https://crm.example", Authorization: "Bearer anything" };
    expect(send(access, "POST", foreign)).toBeNull();
    const form = { ...foreign, "Content-Type": "application/x-www-form-urlencoded" };
    expect(send(ACCESS["routes/mail"], "POST", form)?.status).toBe(403);
  });
});

test.each([
  ["routes/sends.$id", "/sends/1?cancel=1&x=2", "/sends/1?x=2"],
  ["routes/stored", "/stored?cancel=1", "/stored?"],
  ["routes/stored_.$id", "/stored/1?cancel", "/stored/1?"],
  ["routes/mail", "/mail?ask=cancel&ids=1", "/mail?ids=1"],
  ["routes/bulk_.$id", "/bulk/1?groups=1", "/bulk/1?"],
])("a link of another site to %s does not trigger a call to the provider", async (id, address, plain) => {
  let loads = 0;
  const loader = () => {
    loads++;
    return null;
  };
  const guarded = guardRoutes(
    { page: { id, path: "", module: { default: () => null, loader } } },
    {
      page: ACCESS[id as keyof typeof ACCESS],
    },
    async () => succeed(null),
  );
  const open = async (headers: Record<string, string>) =>
    guarded.page?.module.loader?.({
      request: new Request(OURS + address, { headers }),
      params: {},
      context: {},
    });
  await open({});
  await open({ "Sec-Fetch-Site": "same-origin" });
  await open({ "Sec-Fetch-Site": "none" });
  expect(loads).toBe(3);
  const refusal = await open({ "Sec-Fetch-Site": "cross-site" }).catch((thrown: Response) => thrown);
  expect(refusal).toMatchObject({ status: 302 });
  expect((refusal as Response).headers.get("Location")).toBe(plain);
  expect(loads).toBe(3);
});

test("a route that is not in the table only serves reads", () => {
  expect(refuseRequest({ method: "GET", headers: new Headers() }, undefined)).toBeNull();
  expect(refuseRequest({ method: "POST", headers: new Headers() }, undefined)?.status).toBe(405);
});
