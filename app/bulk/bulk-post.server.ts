import type { Viewer } from "~/people/viewer.server";
import { env } from "~/platform/env.server";
import type { Flash } from "~/platform/http/flash.server";
import { UNKNOWN_FORM } from "~/platform/http/page-form.server";
import { type Failure, fail, type Outcome, succeed } from "~/platform/outcome";
import { MOST_WITHOUT_UNDO, PROBLEM_CODES } from "./bulk-list";
import { formatNumber } from "./format-rows";
import { importGroup } from "./import/import-group.server";
import { fileSource, importList } from "./import/import-list.server";
import { importRowsOf } from "./import/import-rows-of.server";
import { deleteDraft } from "./list-record.server";
import { setAddressChecks } from "./rows/check-addresses.server";
import { allowAll, leaveOut } from "./rows/decide-rows.server";
import { correctRow, retryRefused, saveMapping, takeBack } from "./rows/edit-rows.server";
import { NO_ROW } from "./rows/messages";
import { cancelPieces } from "./sending/cancel-pieces.server";
import { refuseList } from "./sending/list-approval.server";
import { approveList, pauseList, resumeList, startList, stopList } from "./sending/list-transitions.server";
import { BACKGROUND_OFF, NO_START_TIME } from "./sending/messages";
import { moveStart, undoStart } from "./sending/start-times.server";
import { testRows } from "./sending/test-rows.server";

const MAX_COLUMNS = 100;

/**
 * Handles the forms of a list's page by `intent` and returns the message to show. Fails as the action does, and with `bad_input` for
 * an unknown form.
 */
export async function handleBulkPost(form: FormData, id: string, viewer: Viewer): Promise<Outcome<Flash>> {
  const done = await handle(form, id, viewer);
  return done.ok ? succeed({ tone: "ok", message: done.value }) : done;
}

async function handle(form: FormData, id: string, viewer: Viewer): Promise<Outcome<string>> {
  const row = Number.parseInt(getText(form, "row"), 10);
  const number = Number.isInteger(row) && row > 0 && row < 1e7 ? row : null;
  const needRow = (work: (row: number) => Promise<Outcome<string>>) =>
    number === null ? fail("not_found", NO_ROW) : work(number);
  const code = PROBLEM_CODES.find((known) => known === form.get("code")) ?? null;
  switch (form.get("intent")) {
    case "import":
      return importForm(form, id, viewer);
    case "import_group":
      return importGroup(id, getText(form, "group"), viewer);
    case "import_rows":
      return importRowsOf(id, getText(form, "from"), viewer);
    case "columns":
      return saveMapping(id, { uses: listUses(form), country: getText(form, "country") }, viewer);
    case "check_addresses":
      if (env().reconcileIntervalMs === 0) return fail("not_configured", BACKGROUND_OFF);
      return setAddressChecks(id, true);
    case "stop_addresses":
      return setAddressChecks(id, false);
    case "correct":
      return needRow((at) =>
        correctRow(id, at, { cells: parseCells(form), allow: form.has("allow") }, viewer),
      );
    case "leave_out":
      return needRow((at) => leaveOut(id, at, viewer));
    case "leave_out_all":
      return leaveOut(id, null, viewer, code);
    case "allow_all":
      return code === null ? { ok: false, failure: UNKNOWN_FORM } : allowAll(id, code, viewer);
    case "take_back":
      return needRow((at) => takeBack(id, at, viewer));
    case "test":
      return testRows(id, getText(form, "rows"), viewer);
    case "start":
    case "schedule":
      return startFrom(form, id, viewer);
    case "undo_start":
      return undoStart(id, viewer);
    case "move_start": {
      const at = parseTime(form);
      return at === null ? fail("bad_input", NO_START_TIME) : moveStart(id, at, viewer);
    }
    case "approve":
      if (env().reconcileIntervalMs === 0) return fail("not_configured", BACKGROUND_OFF);
      return approveList(id, Number(getText(form, "quoted")), viewer);
    case "refuse":
      return refuseList(id, getText(form, "reason").trim(), viewer);
    case "pause":
      return pauseList(id, viewer);
    case "resume":
      return resumeList(id, viewer);
    case "stop":
      return stopList(id, viewer);
    case "cancel":
      return cancelPieces(id, viewer);
    case "retry":
      return retryRefused(id, viewer);
    case "delete":
      return deleteDraft(id);
    default:
      return { ok: false, failure: UNKNOWN_FORM };
  }
}

/** Starts a list now or later. A large start requires typing the number of pieces. */
async function startFrom(form: FormData, id: string, viewer: Viewer): Promise<Outcome<string>> {
  if (env().reconcileIntervalMs === 0) return fail("not_configured", BACKGROUND_OFF);
  const quoted = Number(getText(form, "quoted"));
  const typed = Number(getText(form, "typed").replace(/[\s,.]/g, ""));
  if (quoted > MOST_WITHOUT_UNDO && typed !== quoted) {
    return fail(
      "bad_input",
      `Type the number of pieces, ${formatNumber(quoted)}, to start them. Nothing was reserved or sent.`,
    );
  }
  const at = form.get("intent") === "schedule" ? parseTime(form) : undefined;
  return at === null ? fail("bad_input", NO_START_TIME) : startList(id, quoted, viewer, at ?? null);
}

/** Parses the UTC time of a `datetime-local` field; null when none was chosen. */
function parseTime(form: FormData): Date | null {
  const text = getText(form, "starts_at");
  const at = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(text) ? new Date(`${text}Z`) : null;
  return at === null || Number.isNaN(at.getTime()) ? null : at;
}

async function importForm(form: FormData, id: string, viewer: Viewer): Promise<Outcome<string>> {
  const file = form.get("file");
  const pasted = getText(form, "pasted");
  // Browsers post an empty file field as a file without a name.
  const uploaded = file instanceof File && (file.size > 0 || file.name !== "") ? file : null;
  if (!uploaded && pasted.trim() === "")
    return fail("bad_input", "Choose a file or paste rows first. Nothing was imported.");
  const bytes = uploaded ? new Uint8Array(await uploaded.arrayBuffer()) : new TextEncoder().encode(pasted);
  return importList(id, fileSource(bytes, uploaded?.name || "Pasted rows"), viewer);
}

/** Builds the address after a form: the same rows, and after a correction the next row to correct. */
export function findNextPage(form: FormData, id: string, url: string): string {
  if (form.get("intent") === "delete") return "/bulk";
  const { searchParams } = new URL(url);
  const query = new URLSearchParams();
  for (const name of ["show", "q", "page"]) {
    const value = searchParams.get(name);
    if (value) query.set(name, value);
  }
  const row = getText(form, "row");
  if (row !== "") query.set(form.has("next") ? "next" : "row", row);
  return `/bulk/${id}${query.size === 0 ? "" : `?${query}`}`;
}

/** Parses the fields `cell.0`, `cell.1`, … */
function parseCells(form: FormData): Map<number, string> {
  const cells = new Map<number, string>();
  for (const [name, value] of form) {
    const at = /^cell\.(\d{1,3})$/.exec(name)?.[1];
    if (at !== undefined && typeof value === "string") cells.set(Number(at), value);
  }
  return cells;
}

/** Lists the uses of columns, each with its default after a bar. */
function listUses(form: FormData): string[] {
  const fallbacks = form.getAll("fallback").map(String);
  const uses = form.getAll("use").slice(0, MAX_COLUMNS).map(String);
  return uses.map((use, at) => (fallbacks[at] ? `${use}|${fallbacks[at]}` : use));
}

function getText(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}

/** Explains a form that is too large: only an import can be. */
export function toImportFailure(failure: Failure): Failure {
  return failure.code === "too_large"
    ? {
        ...failure,
        message:
          "The file is too large. A list may have 50,000 rows and 11 MB; split it into several. Nothing was imported.",
      }
    : failure;
}

/** Returns the input of a refused form, to show it again. */
export function listTyped(form: FormData): {
  pasted: string;
  reason: string;
  cells: Record<string, string>;
} {
  const cells = [...parseCells(form)].map(([at, value]) => [`cell.${at}`, value] as const);
  return {
    pasted: getText(form, "pasted"),
    reason: getText(form, "reason"),
    cells: Object.fromEntries(cells),
  };
}
