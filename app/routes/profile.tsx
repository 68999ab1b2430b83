import { data, redirectDocument } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { formatCredits } from "~/credits/format-credits";
import { ShortcutList } from "~/find/shortcut-list";
import { handleProfilePost, loadProfile } from "~/people/profile.server";
import { ProfilePage } from "~/people/profile-page";
import { loadSpentToday } from "~/pieces/send/daily-limit.server";
import { env } from "~/platform/env.server";
import { formatInteger } from "~/platform/format-integer";
import { dataWithFlash, redirectWithFlash } from "~/platform/http/flash.server";
import { parsePreferences } from "~/platform/http/preferences.server";
import { pageAction, pageLoader } from "~/route-handlers.server";
import { titlePage } from "~/ui/page-title";

export const meta = titlePage("Profile");

export const loader = pageLoader(async ({ request, viewer, query, now }) => {
  const profile = await loadProfile(viewer, query, now);
  const today = await loadSpentToday(viewer.id);
  const spent = today.ok ? formatSpentToday(today.value.total, env().dailyCreditsPerPerson) : null;
  const approval = formatApprovalLimits(env().approval);
  const { shortcuts } = await parsePreferences(request);
  return dataWithFlash(request, { profile, spent, approval, shortcutsOn: shortcuts !== "off" });
});

export const action = pageAction(async ({ form, viewer }) => {
  const done = await handleProfilePost(form, viewer);
  // That page also clears what this browser stores.
  if ("loggedOut" in done) return redirectDocument("/api/auth/logout", 303);
  if ("flash" in done) return redirectWithFlash("/profile", done.flash);
  // Only this answer shows a new token, so it does not redirect.
  return "created" in done
    ? data({ created: done.created, draft: null })
    : data({ created: null, draft: done.draft }, 400);
});

export default function Profile() {
  const { shortcutsOn, ...loaded } = useLoaderData<typeof loader>();
  const posted = useActionData<typeof action>();
  return (
    <ProfilePage {...loaded} created={posted?.created ?? null} draft={posted?.draft ?? null}>
      <section id="keyboard" aria-labelledby="keyboard-title" className="scroll-mt-4">
        <h2 id="keyboard-title" className="pb-2">
          Keyboard shortcuts
        </h2>
        <ShortcutList on={shortcutsOn} />
      </section>
    </ProfilePage>
  );
}

/** @param limits limits of `APPROVAL_ABOVE_CREDITS`; null: nothing needs approval */
function formatApprovalLimits(limits: { lists: number; pieces: number | null } | null): string {
  if (limits === null) return "Lists are started without another person's approval.";
  const { lists, pieces } = limits;
  if (pieces === null) return "Another person has to approve each list before it is started.";
  return `Another person has to approve each list that costs more than ${formatCredits(lists)}. One piece that costs more is sent as a list, too.`;
}

/** @param spent credits that the person spent on live mail today */
function formatSpentToday(spent: number, limit: number | null): string {
  const sum = limit === null ? formatInteger(spent) : `${formatInteger(spent)} of ${formatInteger(limit)}`;
  const credits = (limit ?? spent) === 1 ? "credit" : "credits";
  const sentence = `You spent ${sum} ${credits} today, by hand and via tokens.`;
  return limit === null ? `${sentence} No daily limit.` : `${sentence} The day ends at 00:00 UTC.`;
}
