import { buildAddress } from "~/platform/url";

export function alarmsAddress({ closed, before }: { closed: boolean; before?: string | null }): string {
  return buildAddress("/alarms", { show: closed ? "closed" : null, before });
}
