import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { closeAlarm } from "~/alarms/alarm-record.server";
import { AlarmsPage } from "~/alarms/alarms-page";
import { titlePage } from "~/alarms/alarms-view";
import { loadAlarms } from "~/alarms/alarms-view.server";
import { requirePageForm } from "~/people/check-request.server";
import { requirePageViewer } from "~/people/viewer.server";
import { dataWithFlash, redirectWithFlash } from "~/platform/http/flash.server";
import { requireValue } from "~/platform/http/replies.server";

export const meta = titlePage("Alarms");

export async function loader({ request }: LoaderFunctionArgs) {
  await requirePageViewer(request);
  const view = requireValue(await loadAlarms(new URL(request.url).searchParams, new Date()));
  return dataWithFlash(request, { view });
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { viewer, form } = await requirePageForm({ request, context });
  const closed = await closeAlarm(form, viewer);
  const { pathname, search } = new URL(request.url);
  return redirectWithFlash(
    pathname + search,
    closed.ok
      ? { tone: "ok", message: closed.value }
      : { tone: "bad", message: [closed.failure.message, closed.failure.details].filter(Boolean).join(" ") },
  );
}

export default function AlarmsRoute() {
  return <AlarmsPage {...useLoaderData<typeof loader>()} />;
}
