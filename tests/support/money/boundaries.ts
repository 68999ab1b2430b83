import { EventEmitter, once } from "node:events";
import { createServer as createHttpServer, request as forward } from "node:http";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { buffer } from "node:stream/consumers";

/**
 * Faults at a boundary, which is one statement to PostgreSQL or one call to the provider or Stripe. `refused`: an
 * error and no effect. `cut`: the connection breaks before the work. `lost`: the work is done and its answer never
 * arrives. `killed`: the same, and the process reaches nothing afterwards, as if it were killed. `late`: the work
 * waits until the process's lease has expired and another process has settled the open work.
 */
export const FAULTS = ["refused", "cut", "lost", "killed", "late"] as const;
export type Fault = (typeof FAULTS)[number];

/** The connections of one console, with all boundaries counted together. */
export type Boundaries = Awaited<ReturnType<typeof layBoundaries>>;

/** Makes PostgreSQL answer with the error of a cancelled statement. */
const REFUSAL = "DO $$ BEGIN RAISE EXCEPTION 'planted' USING ERRCODE = 'query_canceled'; END $$";
const QUERY = "Q".charCodeAt(0);
const SYNC = "S".charCodeAt(0);
const TERMINATE = "X".charCodeAt(0);
const READY = "Z".charCodeAt(0);
const AUTHENTICATION = "R".charCodeAt(0);
/** The server's state outside a transaction. */
const IDLE = "I".charCodeAt(0);

/** True for faults that happen after the work. */
const isAfter = (fault: Fault) => fault === "lost" || fault === "killed";

/** @param overtake lets leases expire and another console settle the open work */
export async function layBoundaries(databaseUrl: string, overtake: () => Promise<void>) {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const servers: { close(): unknown }[] = [];
  let left = Number.POSITIVE_INFINITY;
  let fault: Fault = "cut";

  const next = (): Fault | null => (--left === 0 ? fault : null);

  let unplugged = false;
  const unplug = () => {
    unplugged = true;
    for (const socket of sockets) socket.destroy();
  };

  const far = new ServerPool(target);
  const wire = createServer((near) => {
    if (unplugged) return near.destroy();
    let held: Buffer[] | null = null;
    let isOver = false;
    const answered = new EventEmitter();
    const writing = new Set<string>();
    const server = far.take(({ bytes, type }) => {
      if (!held) return near.write(bytes);
      held.push(bytes);
      if (type === READY) answered.emit("ready", bytes[5]);
    });
    const end = () => {
      if (isOver) return;
      isOver = true;
      near.destroy();
      answered.emit("ready");
      far.giveBack(server);
    };
    sockets.add(near);
    // Messages are written one by one; each would otherwise wait for a delayed acknowledgement.
    near.setNoDelay(true);
    near.on("error", end);
    near.on("close", () => {
      sockets.delete(near);
      end();
    });
    server.socket.once("close", () => near.destroy());
    // Statements run one by one: while one waits, later ones wait too.
    let turn = Promise.resolve();
    const takeMessages = messageReader({ startup: true }, (group) => {
      turn = turn.then(async () => {
        if (isOver) return;
        if (group.type === TERMINATE) return end();
        // A greeted server is signed in already.
        if (group.type === 0 && server.isGreeted) return void near.write(Buffer.concat(server.greeting));
        const isWrite = changesData(group.bytes, writing);
        const met = group.ends && !isAfter(fault) ? next() : null;
        if (met === "cut") return end();
        if (met === "late") await overtake();
        if (isOver) return;
        if (group.ends && isAfter(fault)) {
          held = [];
          server.send(group.bytes, 1);
          const [status] = await once(answered, "ready");
          if (isOver) return;
          // A read, or a statement in a transaction or after a rollback, has no lasting effect: the same as `cut`.
          if (status === IDLE && isWrite && next()) {
            if (fault === "killed") unplug();
            return end();
          }
          near.write(Buffer.concat(held));
          held = null;
          return;
        }
        server.send(met === "refused" ? refuse(group.bytes) : group.bytes, group.ends ? 1 : 0);
      });
    });
    near.on("data", takeMessages);
  });
  wire.listen(0, "127.0.0.1");
  await once(wire, "listening");
  servers.push(wire);
  const near = new URL(databaseUrl);
  near.hostname = "127.0.0.1";
  near.port = String((wire.address() as AddressInfo).port);

  return {
    databaseUrl: near.href,
    /** Opens a link to an HTTP server; returns the origin to call. */
    async layHttp(origin: string) {
      const far = new URL(origin);
      const server = createHttpServer(async (incoming, reply) => {
        const sent = await buffer(incoming);
        const met = next();
        if (met === "cut" || unplugged) return reply.destroy();
        if (met === "refused") return reply.writeHead(503).end("planted");
        if (met === "late") await overtake();
        const { method, url, headers } = incoming;
        const call = forward(
          { host: far.hostname, port: far.port, method, path: url, headers },
          async (answer) => {
            const body = await buffer(answer);
            if (met === "killed") unplug();
            if (met === "killed" || met === "lost") return reply.destroy();
            reply.writeHead(answer.statusCode ?? 500, answer.headers).end(body);
          },
        );
        call.on("error", () => reply.destroy());
        call.end(sent);
      });
      server.on("connection", (socket) => (unplugged ? socket.destroy() : sockets.add(socket)));
      server.listen(0, "127.0.0.1");
      await once(server, "listening");
      servers.push(server);
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    },
    /** Arms the fault for the `n`-th boundary from now on (1 is the next one). */
    arm(n: number, planned: Fault) {
      left = n;
      fault = planned;
    },
    /** Ends the count and the fault; true when the fault happened. */
    disarm() {
      const met = left <= 0;
      unplugged = false;
      left = Number.POSITIVE_INFINITY;
      return met;
    },
    async close() {
      for (const server of servers) server.close();
      far.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

interface Message {
  bytes: Buffer;
  type: number;
}

/** A connection to PostgreSQL. */
interface ServerConnection {
  socket: Socket;
  /** Answers to a client that has signed in, up to the first "ready". */
  greeting: Buffer[];
  isGreeted: boolean;
  take: (message: Message) => unknown;
  /** @param answers the number of "ready" messages that these bytes cause */
  send(bytes: Buffer, answers: number): void;
  /** Runs when the server is ready for another client. */
  whenFree(free: () => void): void;
}

/**
 * Connections to PostgreSQL that outlive their clients: a fault ends many clients, and each new connection would
 * cost 70 ms of processor time.
 */
class ServerPool {
  #idle: ServerConnection[] = [];
  #all = new Set<Socket>();

  constructor(private readonly target: URL) {}

  take(take: ServerConnection["take"]): ServerConnection {
    const server = this.#idle.pop() ?? this.#open();
    server.take = take;
    return server;
  }

  /** Rolls back the client's open transaction, as the end of a connection does. */
  giveBack(server: ServerConnection): void {
    server.take = () => {};
    server.socket.removeAllListeners("close").once("close", () => this.#all.delete(server.socket));
    if (!server.isGreeted || server.socket.destroyed) return void server.socket.destroy();
    server.send(buildQuery("ROLLBACK"), 1);
    server.send(buildQuery("DISCARD ALL"), 1);
    server.whenFree(() => this.#idle.push(server));
  }

  close(): void {
    for (const socket of this.#all) socket.destroy();
  }

  #open(): ServerConnection {
    const socket = connect(Number(this.target.port || 5432), this.target.hostname).setNoDelay(true);
    this.#all.add(socket);
    socket.on("error", () => socket.destroy());
    let waiting = 0;
    let free: (() => void) | null = null;
    const server: ServerConnection = {
      socket,
      greeting: [],
      isGreeted: false,
      take: () => {},
      send(bytes, answers) {
        waiting += answers;
        socket.write(bytes);
      },
      whenFree(run) {
        free = run;
      },
    };
    const read = messageReader({ startup: false }, (message) => {
      const { bytes, type } = message;
      const isSignedIn = type === AUTHENTICATION && bytes.readInt32BE(5) === 0;
      if (!server.isGreeted && (isSignedIn || server.greeting.length > 0)) server.greeting.push(bytes);
      server.take(message);
      if (type !== READY) return;
      if (server.isGreeted) waiting--;
      server.isGreeted = true;
      if (waiting > 0 || !free) return;
      const run = free;
      free = null;
      run();
    });
    socket.on("data", read);
    return server;
  }
}

const CHANGES = /\b(INSERT|UPDATE|DELETE|COMMIT)\b/i;
/**
 * True when a group has a statement that changes data. @param writing names the client's prepared statements that
 * change data
 */
function changesData(group: Buffer, writing: Set<string>): boolean {
  let changes = false;
  for (let at = 0; at + 5 <= group.length; at += 1 + group.readInt32BE(at + 1)) {
    const type = String.fromCharCode(group[at] ?? 0);
    const [first = "", second = ""] = group.toString("latin1", at + 5).split("\0", 2);
    if (type === "P" && first !== "" && CHANGES.test(second)) writing.add(first);
    if (type === "P" || type === "Q") changes ||= CHANGES.test(type === "P" ? second : first);
    if (type === "B") changes ||= writing.has(second);
  }
  return changes;
}

/**
 * Splits a stream of the PostgreSQL protocol. Messages from the client are passed on in groups that end with a
 * simple query or a Sync (`ends`); those from the server one by one. A client's first messages have no type.
 */
function messageReader(
  { startup }: { startup: boolean },
  take: (group: Message & { ends: boolean }) => unknown,
): (chunk: Buffer) => void {
  let waiting = Buffer.alloc(0);
  let group: Buffer[] = [];
  let untyped = startup;
  return (chunk) => {
    waiting = Buffer.concat([waiting, chunk]);
    for (;;) {
      const head = untyped ? 0 : 1;
      if (waiting.length < head + 4) return;
      const length = head + waiting.readInt32BE(head);
      if (waiting.length < length) return;
      const bytes = waiting.subarray(0, length);
      waiting = waiting.subarray(length);
      if (untyped) {
        untyped = false;
        take({ bytes, type: 0, ends: false });
        continue;
      }
      const type = bytes[0] ?? 0;
      const ends = type === QUERY || type === SYNC;
      if (!startup) take({ bytes, type, ends: false });
      else if (!ends && isPartOfGroup(type)) group.push(bytes);
      else {
        take({ bytes: Buffer.concat([...group, bytes]), type, ends });
        group = [];
      }
    }
  };
}

/** True for Parse, Bind, Describe, Execute, Close and Flush, which a Sync ends. */
function isPartOfGroup(type: number): boolean {
  return "PBDECH".includes(String.fromCharCode(type));
}

/** A refused COMMIT still ends its transaction. */
function refuse(statement: Buffer): Buffer {
  return buildQuery(statement.includes("COMMIT") ? `ROLLBACK; ${REFUSAL}` : REFUSAL);
}

function buildQuery(sql: string): Buffer {
  const text = Buffer.from(`${sql}\0`);
  const message = Buffer.alloc(5 + text.length);
  message.write("Q");
  message.writeInt32BE(4 + text.length, 1);
  text.copy(message, 5);
  return message;
}
