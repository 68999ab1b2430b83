import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

/** Listens on this machine. Rejects when the port is taken. @param port 0: any free one */
export async function listen(server: Server, port = 0): Promise<{ port: number; close(): Promise<void> }> {
  // A kept connection could close at the moment of its reuse, a fault that no test planned.
  server.keepAliveTimeout = 0;
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
