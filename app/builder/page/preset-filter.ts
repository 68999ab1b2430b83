import type { Category } from "~/catalogue/types";
import type { PresetEntry } from "./builder-view";

export interface PresetGroup {
  category: Category;
  presets: PresetEntry[];
}

/** The presets of a category ("" for all) with every word in their label, path, method or category, in groups. */
export function groupPresets(
  presets: PresetEntry[],
  categories: Category[],
  words: string,
  categoryId: string,
): PresetGroup[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return categories
    .filter((category) => categoryId === "" || category.id === categoryId)
    .map((category) => ({
      category,
      presets: presets.filter((preset) => {
        if (preset.categoryId !== category.id) return false;
        const text = `${preset.label} ${preset.path} ${preset.method} ${category.label}`.toLowerCase();
        return wanted.every((word) => text.includes(word));
      }),
    }))
    .filter((group) => group.presets.length > 0);
}
