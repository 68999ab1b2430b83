import { useSearchParams } from "@remix-run/react";
import { useEffect } from "react";
import { CUSTOM } from "~/catalogue/custom";
import { useRemembered } from "~/ui/use-remembered";
import type { BuilderView, PresetEntry } from "../builder-view";

/** The preset that was chosen last; null where this browser remembers none. */
export function useLastPreset({ preset, presets }: BuilderView): PresetEntry | null {
  const [last, remember] = useRemembered<string>("preset", "");
  const [address] = useSearchParams();
  const chosen = address.has("preset");
  useEffect(() => {
    if (chosen && preset.id !== CUSTOM.id) remember(preset.id);
  }, [chosen, preset.id, remember]);
  return presets.find(({ id }) => id === last) ?? null;
}
