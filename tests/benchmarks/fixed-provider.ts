import { createServer } from "node:http";

/**
 * A provider that answers at once, always the same: `node fixed-provider.ts PORT`. The path says how much and when:
 * `/v1/recipients/list?bytes=2000&delay=50`. It runs in a process of its own, so that its work is in nobody's figures.
 * Live mail is answered with a new number each time.
 */
const bodies = new Map<number, Buffer>();
let pieces = 10_000_000;

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(`http://localhost${request.url}`);
  const send = () => {
    const body = pathname.endsWith("/create")
      ? makePiece()
      : makeBody(Number(searchParams.get("bytes") ?? 2_000));
    response.writeHead(200, { "Content-Type": "application/json", "Content-Length": body.length });
    response.end(body);
  };
  request.resume();
  request.once("end", () => {
    const delay = Number(searchParams.get("delay") ?? 0);
    if (delay > 0) setTimeout(send, delay);
    else send();
  });
});
server.keepAliveTimeout = 60_000;
server.listen(Number(process.env.PORT), "127.0.0.1");

function makePiece(): Buffer {
  const data = {
    id: ++pieces,
    status: "received",
    format: "4x6",
    cost: "0.81",
    created: new Date().toISOString(),
  };
  return Buffer.from(JSON.stringify({ success: true, data }));
}

function makeBody(bytes: number): Buffer {
  const known = bodies.get(bytes);
  if (known) return known;
  const row = {
    id: "1001",
    firstname: "Ada",
    lastname: "Lovelace",
    address1: "12 St James Square",
    city: "London",
  };
  const rows: object[] = [];
  const write = () => Buffer.from(JSON.stringify({ success: true, data: rows }));
  while (rows.length === 0 || write().length < bytes - 120) rows.push({ ...row, n: rows.length });
  const body = write();
  bodies.set(bytes, body);
  return body;
}
