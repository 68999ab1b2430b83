import { CATEGORIES } from "~/catalogue/categories";
import { CUSTOM } from "~/catalogue/custom";
import { findPreset, findPresetForCall, isCallOf } from "~/catalogue/presets";

/** The catalogue's category and preset of a request. */
export interface Endpoint {
  category: string;
  /** Id of the preset, or of {@link CUSTOM} for a request that no preset makes. */
  preset: string;
}

const OTHER_CATEGORY = "objects";

/**
 * Finds the preset of a request: the one it was made from, if the request still fits it, else another preset that
 * makes the same request. Without a preset, the category is the first part of the path if that is one, else "objects".
 * @param path relative to the base URL, without `.json`
 */
export function selectEndpoint(method: string, path: string, presetId: string | null): Endpoint {
  const named = presetId === null ? null : findPreset(presetId);
  const preset = named && isCallOf(named, method, path) ? named : findPresetForCall(method, path);
  if (preset) return { category: preset.categoryId, preset: preset.id };
  const first = path.split("/")[0]?.toLowerCase();
  const category = CATEGORIES.find(({ id }) => id === first)?.id ?? OTHER_CATEGORY;
  return { category, preset: CUSTOM.id };
}
