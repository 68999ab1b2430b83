import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** A wire to a server that a test can cut, or let go silent, and mend. */
export interface FlakyLink {
  /** The server's address, through the wire. */
  url: string;
  /** Nothing passes and nothing is answered, as behind a firewall that swallows packets. */
  silence(): void;
  /** Connections break, and new ones are refused. */
  cut(): Promise<void>;
  mend(): Promise<void>;
  /** New connections go to the server of another address. */
  turnTo(target: string): void;
  close(): Promise<void>;
}

/** Puts a wire on a free port of this machine before the server of `target`. */
export async function layFlakyLink(target: string): Promise<FlakyLink> {
  let far = new URL(target);
  const sockets = new Set<Socket>();
  let silent = false;

  const server = createServer((near) => {
    const beyond = connect(Number(far.port || 5432), far.hostname);
    for (const [from, to] of [
      [near, beyond],
      [beyond, near],
    ] as const) {
      sockets.add(from);
      from.on("data", (chunk: Buffer) => {
        if (!silent) to.write(chunk);
      });
      from.on("close", () => {
        sockets.delete(from);
        if (!silent) to.destroy();
      });
      // A broken connection is what this wire is for; the other end is told by "close".
      from.on("error", () => from.destroy());
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const near = new URL(target);
  near.hostname = "127.0.0.1";
  near.port = String(port);

  async function cut(): Promise<void> {
    const closed = server.listening ? once(server, "close") : Promise.resolve();
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  }

  return {
    url: near.href,
    silence: () => {
      silent = true;
    },
    cut,
    mend: async () => {
      silent = false;
      if (server.listening) return;
      server.listen(port, "127.0.0.1");
      await once(server, "listening");
    },
    turnTo: (other) => {
      far = new URL(other);
    },
    close: cut,
  };
}
