import type { MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { ReferencePage } from "~/api/reference-page";
import { buildReference } from "~/api/reference-view.server";

export const meta: MetaFunction = () => [{ title: "API reference · Mailroom" }];

/** It tells nothing that is not in this code, so anyone may read it. */
export function loader() {
  return buildReference();
}

export default function Reference() {
  return <ReferencePage view={useLoaderData<typeof loader>()} />;
}
