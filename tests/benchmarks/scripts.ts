import { buildConsole } from "../support/console/console-build";
import { buildFloor } from "./floor";
import { writeTable } from "./measure";
import { weighPage } from "./page-scripts";

/** `npm run bench:scripts`: the JavaScript with which each page starts, beside that of a bare Remix app. */
const PAGES = {
  Builder: "_index",
  "Stored Responses": "stored",
  "User Credits": "users",
  Mail: "mail",
  Piece: "sends.$id",
};

const floor = weighPage(await buildFloor(), "_index");
const folder = await buildConsole();
const toKb = (bytes: number) => (bytes / 1024).toFixed(0);
const rows = Object.entries({ "bare Remix": floor }).concat(
  Object.entries(PAGES).map(([name, route]) => [name, weighPage(folder, route)]),
);
const table = rows.map(([name, { requests, gzipBytes, brotliBytes }]) => [
  name,
  String(requests),
  toKb(gzipBytes),
  toKb(brotliBytes),
  (gzipBytes / floor.gzipBytes).toFixed(2),
]);
process.stdout.write(`${writeTable([["", "requests", "KB by gzip", "KB by brotli", "ratio"], ...table])}\n`);
