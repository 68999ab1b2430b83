import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { Builder } from "~/builder/page/builder";
import { applyPost } from "~/builder/page/builder-view";
import { handleBuilderPost } from "~/builder/page/handle-builder-post.server";
import { loadShownParts } from "~/builder/page/lazy-chunks";
import { loadBuilderPage } from "~/builder/page/load-builder-page.server";
import { findViewer } from "~/people/viewer.server";
import { readPageForm } from "~/platform/http/body.server";
import { serializePreferences } from "~/platform/http/preferences.server";
import { requireValue, statusOf } from "~/platform/http/replies.server";
import { titlePage } from "~/ui/page-title";

export const handle = { prepare: loadShownParts };

const TABS = ["stored", "users", "mail"];

export const meta = titlePage("API Builder");

export async function loader({ request }: LoaderFunctionArgs) {
  const url = new URL(request.url);
  const tab = url.searchParams.get("tab");
  if (tab && TABS.includes(tab)) {
    url.searchParams.delete("tab");
    throw redirect(`/${tab}${url.search}`);
  }
  const { page, setCookie } = await loadBuilderPage(request, await findViewer(request));
  return data(page, {
    status: page.unknownPreset === null ? 200 : 404,
    headers: setCookie ? { "Set-Cookie": setCookie } : {},
  });
}

export async function action({ request, context }: ActionFunctionArgs) {
  const viewer = await findViewer(request);
  const form = await readPageForm({ request, context }, viewer !== null);
  if (!form.ok && form.failure.code === "too_large") {
    return data({ tooLarge: form.failure.message }, statusOf(form.failure));
  }
  const handled = requireValue(await handleBuilderPost(request, requireValue(form), viewer));
  if ("goTo" in handled) return redirect(handled.goTo);
  if ("postTo" in handled) return redirect(handled.postTo, 307);
  const { page, choices } = handled;
  return data(page, { headers: { "Set-Cookie": await serializePreferences(request, choices) } });
}

export default function BuilderTab() {
  const view = useLoaderData<typeof loader>();
  const posted = useActionData<typeof action>();
  if (posted && "tooLarge" in posted) return <TooLarge message={posted.tooLarge} />;
  return <Builder view={applyPost(view, posted ?? null)} />;
}

/** Replaces the Builder when its form was too large for the server to read. The browser still has what was typed. */
function TooLarge({ message }: { message: string }) {
  return (
    <section aria-labelledby="too-large" className="mx-auto grid w-full max-w-xl gap-4 px-4 py-16">
      <h1 id="too-large" className="text-title">
        The form is too large
      </h1>
      <p>{message}</p>
      <p>Go back in your browser: what you typed is still there. Choose a smaller file and send again.</p>
      <p className="text-dim">
        If your browser asks to resend the form, you can agree: mail that was already sent is not sent again.
      </p>
    </section>
  );
}
