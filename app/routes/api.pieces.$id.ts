import { loadPiece } from "~/api/pieces.server";
import { jsonRoute } from "~/route-handlers.server";

export const loader = jsonRoute(({ id }) => loadPiece(id));
