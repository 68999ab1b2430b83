import type { Viewer } from "~/people/viewer.server";
import { env } from "~/platform/env.server";
import { formatInteger } from "~/platform/format-integer";
import { getText, UNKNOWN_FORM } from "~/platform/http/body.server";
import { type Failed, type Failure, fail, type Outcome } from "~/platform/outcome";
import { MOST_WITHOUT_UNDO, PROBLEM_CODES } from "./bulk-list";
import { importGroup } from "./import/import-group.server";
import { importList, importRowsOf } from "./import/import-list.server";
import { MAX_COLUMNS, parseList } from "./import/parse-list.server";
import { deleteDraft } from "./list-record.server";
import { BACKGROUND_OFF, NO_ROW, NO_START_TIME } from "./messages";
import { setAddressChecks } from "./rows/check-addresses.server";
import { allowAll, correctRow, leaveOut, retryRefused, saveMapping, takeBack } from "./rows/edit-rows.server";
import { cancelPieces } from "./sending/cancel-pieces.server";
import { refuseList } from "./sending/list-approval.server";
import { approveList, pauseList, resumeList, startList, stopList } from "./sending/list-transitions.server";
import { moveStart, undoStart } from "./sending/start-times.server";
import { testRows } from "./sending/test-rows.server";

const UNKNOWN: Failed = { ok: false, failure: UNKNOWN_FORM };
const TIME_FILLED_IN =
  "A time is filled in under Start later. Press Set the start, or clear the time to start now. Nothing was reserved or sent.";

/** Handles the forms of a list's page by `intent` and returns the message to show. */
export async function handleBulkPost(form: FormData, id: string, viewer: Viewer): Promise<Outcome<string>> {
  const row = Number.parseInt(getText(form, "row"), 10);
  const number = Number.isInteger(row) && row > 0 && row < 1e7 ? row : null;
  const code = PROBLEM_CODES.find((known) => known === form.get("code")) ?? null;
  const withRow = (work: (row: number) => Promise<Outcome<string>>) => () =>
    number === null ? fail("not_found", NO_ROW) : work(number);
  const inBackground = (work: () => Promise<Outcome<string>>) => () =>
    env().reconcileIntervalMs === 0 ? fail("not_configured", BACKGROUND_OFF) : work();
  const actions: Record<string, () => Promise<Outcome<string>> | Failed> = {
    import: () => importForm(form, id, viewer),
    import_group: () => importGroup(id, getText(form, "group"), viewer),
    import_rows: () => importRowsOf(id, getText(form, "from"), viewer),
    columns: () => saveMapping(id, { uses: listUses(form), country: getText(form, "country") }, viewer),
    check_addresses: inBackground(() => setAddressChecks(id, true)),
    stop_addresses: () => setAddressChecks(id, false),
    correct: withRow((at) =>
      correctRow(
        id,
        at,
        { cells: parseCells(form), allow: form.has("allow"), opened: getText(form, "opened") },
        viewer,
      ),
    ),
    leave_out: withRow((at) => leaveOut(id, at, viewer)),
    leave_out_all: () => leaveOut(id, null, viewer, code),
    allow_all: () => (code === null ? UNKNOWN : allowAll(id, code, viewer)),
    take_back: withRow((at) => takeBack(id, at, viewer)),
    test: () => testRows(id, getText(form, "rows"), viewer),
    start: inBackground(() => start(form, id, viewer, null)),
    schedule: inBackground(() => atTime(form, (at) => start(form, id, viewer, at))),
    undo_start: () => undoStart(id, viewer),
    move_start: () => atTime(form, (at) => moveStart(id, at, viewer)),
    approve: inBackground(() => approveList(id, Number(getText(form, "quoted")), viewer)),
    refuse: () => refuseList(id, getText(form, "reason").trim(), viewer),
    pause: () => pauseList(id, viewer),
    resume: () => resumeList(id, viewer),
    stop: () => stopList(id, viewer),
    cancel: () => cancelPieces(id, viewer),
    retry: () => retryRefused(id, viewer),
    delete: () => deleteDraft(id),
  };
  const intent = getText(form, "intent");
  return Object.hasOwn(actions, intent) ? (actions[intent]?.() ?? UNKNOWN) : UNKNOWN;
}

/** Matches a whole number, also one in groups of three digits: "1204", "1,204", "1.204". */
const WHOLE_NUMBER = /^\d{1,3}([\s,.]?\d{3})*$/;

/** Starts a list. A large start requires typing the number of pieces. @param at null: now */
async function start(form: FormData, id: string, viewer: Viewer, at: Date | null): Promise<Outcome<string>> {
  // Enter in the field of the time presses the form's first button, which starts now.
  if (at === null && getText(form, "starts_at") !== "") return fail("bad_input", TIME_FILLED_IN);
  const quoted = Number(getText(form, "quoted"));
  const typed = getText(form, "typed").trim();
  const isConfirmed = WHOLE_NUMBER.test(typed) && Number(typed.replace(/\D/g, "")) === quoted;
  if (quoted > MOST_WITHOUT_UNDO && !isConfirmed) {
    return fail(
      "bad_input",
      `Type the number of pieces, ${formatInteger(quoted)}, to start them. Nothing was reserved or sent.`,
    );
  }
  return startList(id, quoted, viewer, at);
}

/** Runs `work` with the UTC time of a `datetime-local` field. Fails when none was chosen. */
async function atTime(form: FormData, work: (at: Date) => Promise<Outcome<string>>) {
  const text = getText(form, "starts_at");
  const at = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(text) ? new Date(`${text}Z`) : null;
  return at === null || Number.isNaN(at.getTime()) ? fail("bad_input", NO_START_TIME) : work(at);
}

async function importForm(form: FormData, id: string, viewer: Viewer): Promise<Outcome<string>> {
  const file = form.get("file");
  const pasted = getText(form, "pasted");
  // Browsers post an empty file field as a file without a name.
  const uploaded = file instanceof File && (file.size > 0 || file.name !== "") ? file : null;
  if (!uploaded && pasted.trim() === "")
    return fail("bad_input", "Choose a file or paste rows first. Nothing was imported.");
  const bytes = uploaded ? new Uint8Array(await uploaded.arrayBuffer()) : new TextEncoder().encode(pasted);
  return importList(id, uploaded?.name || "Pasted rows", parseList(bytes), viewer);
}

/** Builds the address after a form: the same rows, and after a correction the next row to correct. */
export function nextAddress(form: FormData, id: string, url: string): string {
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

/** Explains a form that is too large: only an import can be. */
export function toImportFailure(failure: Failure): Failure {
  if (failure.code !== "too_large") return failure;
  const message =
    "The file is too large. A list may have 50,000 rows and 11 MB; split it into several. Nothing was imported.";
  return { ...failure, message };
}

/** Returns the input of a refused form, to show it again. */
export function readInput(form: FormData) {
  const cells = [...parseCells(form)].map(([at, value]) => [`cell.${at}`, value] as const);
  const [pasted, reason] = [getText(form, "pasted"), getText(form, "reason")];
  return { pasted, reason, cells: Object.fromEntries(cells) };
}
