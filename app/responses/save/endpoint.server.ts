import { CATEGORIES } from "~/catalogue/categories";
import { findPreset, findPresetForCall, isCallOf } from "~/catalogue/presets";

/** Where a call belongs in the catalogue. */
export interface Endpoint {
  category: string;
  /** Id of the preset, or {@link CUSTOM}. */
  preset: string;
}

/** Calls that are no preset. */
const CUSTOM = "custom";
const OTHER_CATEGORY = "objects";

/**
 * Names a call after the preset it was made from, as long as it still is that preset's call; else after the preset
 * that makes the same call; else after the first part of its path where that is a category, else "objects".
 * @param path relative to the base URL, without `.json`
 */
export function selectEndpoint(method: string, path: string, presetId: string | null): Endpoint {
  const named = presetId === null ? null : findPreset(presetId);
  const preset = named && isCallOf(named, method, path) ? named : findPresetForCall(method, path);
  if (preset) return { category: preset.categoryId, preset: preset.id };
  const first = path.split("/")[0]?.toLowerCase();
  const category = CATEGORIES.find(({ id }) => id === first)?.id ?? OTHER_CATEGORY;
  return { category, preset: CUSTOM };
}
