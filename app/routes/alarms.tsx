import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { AlarmsPage } from "~/alarms/alarms-page";
import { loadAlarms } from "~/alarms/alarms-view.server";
import { closeAlarm } from "~/alarms/close-alarm.server";
import { requirePageForm } from "~/people/first-checks.server";
import { requirePageViewer } from "~/people/viewer.server";
import { parseFlash, serializeFlash } from "~/platform/http/flash.server";
import { replyFailure } from "~/platform/http/replies.server";

export const meta: MetaFunction = () => [{ title: "Alarms · Mailroom" }];

export async function loader({ request }: LoaderFunctionArgs) {
  await requirePageViewer(request);
  const view = await loadAlarms(new URL(request.url).searchParams, new Date());
  if (!view.ok) throw replyFailure(view.failure);
  const said = await parseFlash(request);
  return data(
    { view: view.value, flash: said?.flash ?? null },
    said ? { headers: { "Set-Cookie": said.setCookie } } : undefined,
  );
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { viewer, form } = await requirePageForm({ request, context });
  const closed = await closeAlarm(form, viewer);
  const flash = await serializeFlash(
    closed.ok
      ? { tone: "ok", message: closed.value }
      : { tone: "bad", message: [closed.failure.message, closed.failure.details].filter(Boolean).join(" ") },
  );
  const { pathname, search } = new URL(request.url);
  return redirect(pathname + search, { headers: { "Set-Cookie": flash } });
}

export default function AlarmsRoute() {
  return <AlarmsPage {...useLoaderData<typeof loader>()} />;
}
