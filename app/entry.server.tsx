import { createHash, randomBytes } from "node:crypto";
import {
  type ActionFunctionArgs,
  createReadableStreamFromReadable,
  type EntryContext,
  type LoaderFunctionArgs,
} from "@remix-run/node";
import { isRouteErrorResponse, RemixServer } from "@remix-run/react";
import { isbot } from "isbot";
import { renderToPipeableStream } from "react-dom/server";
import { startBackgroundTasks } from "~/platform/background-runner.server";
import { PageParts } from "~/platform/http/page-parts.server";
import { buildPagePolicy } from "~/platform/http/security.server";
import { listBackgroundTasks } from "./background-tasks.server";
import { EnvironmentError } from "./platform/env.server";
import { errorNameOf, findPlace, log } from "./platform/log.server";
import sheet from "./styles.css?inline";
import { PageHead } from "./ui/page-head";

/** Allows the inline style sheet in the content security policy. */
const SHEET_HASH = createHash("sha256").update(sheet).digest("base64");

const RENDER_LIMIT_MS = 30_000;

try {
  startBackgroundTasks(listBackgroundTasks());
} catch (error) {
  // The process that listens reports problems of the environment. Loading the build alone does not fail.
  if (!(error instanceof EnvironmentError)) throw error;
}

export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  context: EntryContext,
): Promise<Response> {
  const nonce = randomBytes(16).toString("base64");
  const styles = linksSheet(request) ? null : sheet;
  headers.set("Content-Type", "text/html; charset=utf-8");
  headers.set(
    "Content-Security-Policy",
    buildPagePolicy({ nonce, styleHash: styles === null ? null : SHEET_HASH }),
  );
  headers.set("Cache-Control", "no-store");
  headers.set("Vary", "Cookie");
  const ready = isbot(request.headers.get("user-agent")) ? "onAllReady" : "onShellReady";
  return new Promise((resolve, reject) => {
    let answerStatus = status;
    const { pipe, abort } = renderToPipeableStream(
      <PageHead.Provider value={{ nonce, styles }}>
        <RemixServer context={context} url={request.url} nonce={nonce} />
      </PageHead.Provider>,
      {
        nonce,
        [ready]() {
          const body = new PageParts();
          resolve(new Response(createReadableStreamFromReadable(body), { headers, status: answerStatus }));
          pipe(body);
        },
        onShellError: reject,
        onError(error: unknown) {
          answerStatus = 500;
          reportError(error);
        },
      },
    );
    setTimeout(abort, RENDER_LIMIT_MS).unref();
  });
}

/**
 * Links the style sheet on pages opened from our own pages, so that the browser caches it. Other pages have it inline, which
 * shows them one request earlier. In development Vite needs the link to change styles in an open page.
 */
function linksSheet(request: Request): boolean {
  return import.meta.env.DEV || request.headers.get("Sec-Fetch-Site") === "same-origin";
}

export function handleError(error: unknown, { request }: LoaderFunctionArgs | ActionFunctionArgs): void {
  if (!request.signal.aborted && !isRouteErrorResponse(error)) reportError(error);
}

/** Logs the place of an error without its message, which may quote input. */
function reportError(error: unknown): void {
  const at = findPlace(error);
  log.error("page.failed", { errorName: errorNameOf(error), ...(at ? { at } : {}) });
}
