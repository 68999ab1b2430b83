import { useLoaderData } from "@remix-run/react";
import { closeAlarm } from "~/alarms/alarm-record.server";
import { AlarmsPage } from "~/alarms/alarms-page";
import { loadAlarms } from "~/alarms/alarms-view.server";
import { dataWithFlash, redirectWithFlash } from "~/platform/http/flash.server";
import { requireValue } from "~/platform/http/replies.server";
import { pageAction, pageLoader } from "~/route-handlers.server";
import { titlePage } from "~/ui/page-title";

export const meta = titlePage("Alarms");

export const loader = pageLoader(async ({ request, query, now }) =>
  dataWithFlash(request, { view: requireValue(await loadAlarms(query, now)) }),
);

export const action = pageAction(async ({ request, form, viewer }) => {
  const closed = await closeAlarm(form, viewer);
  const { pathname, search } = new URL(request.url);
  return redirectWithFlash(
    pathname + search,
    closed.ok
      ? { tone: "ok", message: closed.value }
      : { tone: "bad", message: [closed.failure.message, closed.failure.details].filter(Boolean).join(" ") },
  );
});

export default function AlarmsRoute() {
  return <AlarmsPage {...useLoaderData<typeof loader>()} />;
}
