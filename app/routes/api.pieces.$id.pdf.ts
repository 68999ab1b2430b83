import { loadPieceFile } from "~/api/pieces.server";
import { replyPdf, requireValue } from "~/platform/http/replies.server";
import { jsonRoute } from "~/route-handlers.server";

export const loader = jsonRoute(async ({ id }) => replyPdf(requireValue(await loadPieceFile(id))));
