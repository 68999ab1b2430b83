import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** A connection to a server that a test can cut, silence and restore. */
export type FlakyLink = Awaited<ReturnType<typeof layFlakyLink>>;

/** Opens a link on a free port of this machine to the server of `target`. */
export async function layFlakyLink(target: string) {
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
      // Broken connections are expected here; "close" ends the other side.
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
    /** The server's address through the link. */
    url: near.href,
    /** Lets no byte pass and answers nothing, like a firewall that drops packets. */
    silence: () => {
      silent = true;
    },
    /** Breaks connections and refuses new ones. */
    cut,
    mend: async () => {
      silent = false;
      if (server.listening) return;
      server.listen(port, "127.0.0.1");
      await once(server, "listening");
    },
    /** Sends new connections to the server of another address. */
    turnTo: (other: string) => {
      far = new URL(other);
    },
    close: cut,
  };
}
