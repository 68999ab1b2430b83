import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { ReferencePage } from "~/api/reference-page";
import { buildReference } from "~/api/reference-view.server";
import { findViewer } from "~/people/viewer.server";
import { titlePage } from "~/ui/page-title";

export const meta = titlePage("API reference");

/** Open to anyone. Signed-in people get their own IDs in the commands. */
export async function loader({ request }: LoaderFunctionArgs) {
  return buildReference(await findViewer(request));
}

export default function Reference() {
  return <ReferencePage view={useLoaderData<typeof loader>()} />;
}
