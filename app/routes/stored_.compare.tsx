import { data, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { requirePageViewer } from "~/people/viewer.server";
import { requireValue } from "~/platform/http/replies.server";
import { compareResponses } from "~/responses/comparison/comparison.server";
import { ComparisonPage } from "~/responses/comparison/comparison-page";

export const meta: MetaFunction = () => [{ title: "Compare responses · Mailroom" }];

export async function loader({ request }: LoaderFunctionArgs) {
  await requirePageViewer(request);
  const { searchParams } = new URL(request.url);
  const [first, second, ...others] = [...new Set(searchParams.getAll("id"))];
  if (others.length > 0)
    return data(
      {
        comparison: null,
        problem: "More than two responses are selected. Select exactly two, then compare them.",
      },
      { status: 400 },
    );
  if (first !== undefined && second !== undefined) {
    throw redirect(`/stored/compare?${new URLSearchParams({ a: first, b: second })}`);
  }
  if (first !== undefined) {
    // One is chosen: the list keeps it while the other one is looked for.
    const address = new URLSearchParams(searchParams.get("list") ?? "");
    address.set("compare", first);
    throw redirect(`/stored?${address}`);
  }
  const [a, b] = [searchParams.get("a"), searchParams.get("b")];
  if (!a || !b)
    return data(
      { comparison: null, problem: "Select two responses in the list, then compare them." },
      { status: 400 },
    );
  const comparison = requireValue(await compareResponses(a, b));
  return data({ comparison, problem: null });
}

export default function Compare() {
  return <ComparisonPage {...useLoaderData<typeof loader>()} />;
}
