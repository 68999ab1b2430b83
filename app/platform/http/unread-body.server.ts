import type { RequestHandler } from "express";

const DISCARD_MS = 10_000;

/**
 * Throws away what an answer left unread of its request's body. Remix has begun to read each body, so that Node itself
 * leaves the rest where it is, and the next request of the same connection would wait behind it.
 */
export const discardUnreadBody: RequestHandler = (request, response, next) => {
  response.once("finish", () => {
    if (request.complete) return;
    request.removeAllListeners("data");
    request.resume();
    // A body that does not end costs its sender the connection.
    const timer = setTimeout(() => request.destroy(), DISCARD_MS).unref();
    request.once("close", () => clearTimeout(timer));
  });
  next();
};
