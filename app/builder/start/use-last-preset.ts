import { useEffect } from "react";
import { useRemembered } from "~/ui/use-remembered";
import type { BuilderView, PresetEntry } from "../view";

/** The preset that was used before the first screen was opened; null where this browser remembers none. */
export function useLastPreset({ preset, presets, start }: BuilderView): PresetEntry | null {
  const [last, remember] = useRemembered<string>("preset", "");
  const chosen = start === null;
  useEffect(() => {
    if (chosen) remember(preset.id);
  }, [chosen, preset.id, remember]);
  return presets.find(({ id }) => id === last) ?? null;
}
