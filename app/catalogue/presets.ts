import { ACCOUNT_PRESETS, FILE_PRESETS, KEY_PRESETS, OBJECT_PRESETS } from "./presets/account";
import { CAMPAIGN_PRESETS } from "./presets/campaigns";
import { GROUP_PRESETS, LIST_PRESETS, SELECTION_PRESETS } from "./presets/lists";
import { LETTER_PRESETS, POSTCARD_PRESETS } from "./presets/mail";
import { EVENT_PRESETS, MAILING_PRESETS, REPORT_PRESETS } from "./presets/mailings";
import { ADDRESS_PRESETS, RECIPIENT_PRESETS } from "./presets/recipients";
import { CUSTOM, type Preset } from "./types";

/**
 * All endpoint presets: the specified ones, and documented calls for categories that would be empty without them. Only the
 * server imports them. The browser gets the one that it needs.
 */
export const PRESETS: readonly Preset[] = [
  ...KEY_PRESETS,
  ...ACCOUNT_PRESETS,
  ...RECIPIENT_PRESETS,
  ...LIST_PRESETS,
  ...CAMPAIGN_PRESETS,
  ...MAILING_PRESETS,
  ...POSTCARD_PRESETS,
  ...LETTER_PRESETS,
  ...GROUP_PRESETS,
  ...EVENT_PRESETS,
  ...FILE_PRESETS,
  ...REPORT_PRESETS,
  ...SELECTION_PRESETS,
  ...ADDRESS_PRESETS,
  ...OBJECT_PRESETS,
];

const PRESETS_BY_ID = new Map(PRESETS.map((preset) => [preset.id, preset]));

/** Finds a preset by ID; null for an unknown one. */
export function findPreset(id: string): Preset | null {
  return PRESETS_BY_ID.get(id) ?? null;
}

/** Returns a preset's label, or an unknown ID unchanged. */
export function formatPreset(id: string): string {
  return findPreset(id)?.label ?? (id === CUSTOM.id ? CUSTOM.label : id);
}

/** Finds the preset that makes this call, as its own call or as the documented one. */
export function findPresetForCall(method: string, path: string): Preset | null {
  return (
    PRESETS.find((preset) => isSameCall(preset, method, path)) ??
    PRESETS.find((preset) => isCallOf(preset, method, path)) ??
    null
  );
}

/** True when a preset makes this call, as its own call or as the documented one. */
export function isCallOf(preset: Preset, method: string, path: string): boolean {
  const { documented } = preset.reference;
  return (
    isSameCall(preset, method, path) || (documented !== undefined && isSameCall(documented, method, path))
  );
}

/** True when method and path match. A name in braces matches any one part of the path; `.json` at the end is ignored. */
export function isSameCall(call: { method: string; path: string }, method: string, path: string): boolean {
  if (call.method !== method) return false;
  const wanted = splitPattern(call.path);
  const parts = path.replace(/\.json$/i, "").split("/");
  return (
    wanted.length === parts.length && wanted.every((part, index) => part === null || part === parts[index])
  );
}

/** Split patterns, because each request is compared with all of them. */
const patterns = new Map<string, (string | null)[]>();

/** Splits a pattern into parts; null matches any part. */
function splitPattern(path: string): (string | null)[] {
  const known = patterns.get(path);
  if (known) return known;
  const parts = path.split("/").map((part) => (/^\{.+\}$/.test(part) ? null : part));
  patterns.set(path, parts);
  return parts;
}
