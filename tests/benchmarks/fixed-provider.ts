import { createServer } from "node:http";

/**
 * A provider in its own process that always gives the same answer: `node fixed-provider.ts`, with `PORT`. The address
 * sets its size and delay: `/v1/recipients/list?bytes=2000&delay=50`. Live mail gets a new number each time.
 */
const ROW = {
  id: "1001",
  firstname: "Ada",
  lastname: "Lovelace",
  address1: "12 St James Square",
  city: "London",
};
const ROW_BYTES = JSON.stringify(ROW).length + 1;
let pieces = 10_000_000;

createServer((request, response) => {
  const { pathname, searchParams } = new URL(`http://localhost${request.url}`);
  const rows = Math.ceil(Number(searchParams.get("bytes") ?? 2_000) / ROW_BYTES);
  const created = new Date().toISOString();
  const data = pathname.endsWith("/create")
    ? { id: ++pieces, status: "received", format: "4x6", cost: "0.81", created }
    : Array.from({ length: rows }, () => ROW);
  const body = JSON.stringify({ success: true, data });
  const send = () => response.writeHead(200, { "Content-Type": "application/json" }).end(body);
  const delay = Number(searchParams.get("delay") ?? 0);
  request.resume().once("end", () => (delay > 0 ? setTimeout(send, delay) : send()));
}).listen(Number(process.env.PORT), "127.0.0.1").keepAliveTimeout = 60_000;
