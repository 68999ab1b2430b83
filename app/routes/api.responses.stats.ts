import { loadStats } from "~/responses/stats/stats.server";
import { jsonRoute } from "~/route-handlers.server";

export const loader = jsonRoute(() => loadStats());
