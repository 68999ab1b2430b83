import { data, redirect } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { requireValue } from "~/platform/http/replies.server";
import { compareResponses } from "~/responses/comparison/comparison.server";
import { ComparisonPage } from "~/responses/comparison/comparison-page";
import { pageLoader } from "~/route-handlers.server";
import { titlePage } from "~/ui/page-title";

export const meta = titlePage("Compare responses");

export const loader = pageLoader(async ({ query }) => {
  const [first, second, ...others] = [...new Set(query.getAll("id"))];
  const refuse = (problem: string, status = 400) => data({ comparison: null, problem }, { status });
  if (others.length > 0) {
    return refuse("More than two responses are selected. Select exactly two, then compare them.");
  }
  if (first !== undefined && second !== undefined) {
    throw redirect(`/stored/compare?${new URLSearchParams({ a: first, b: second })}`);
  }
  if (first !== undefined) {
    // The list keeps the chosen one while the person looks for the other.
    const address = new URLSearchParams(query.get("list") ?? "");
    address.set("compare", first);
    throw redirect(`/stored?${address}`);
  }
  const [a, b] = [query.get("a"), query.get("b")];
  if (!a || !b) return refuse("Select two responses in the list, then compare them.");
  const compared = await compareResponses(a, b);
  if (!compared.ok && compared.failure.code === "not_found") return refuse(compared.failure.message, 404);
  return data({ comparison: requireValue(compared), problem: null });
});

export default function Compare() {
  return <ComparisonPage {...useLoaderData<typeof loader>()} />;
}
