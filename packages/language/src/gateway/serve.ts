import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createServer } from "#node";
import { type BodyLimits, bodyText } from "./body.ts";
import type { Gateway } from "./gateway.ts";
import { answerer } from "./handler.ts";

/** A listening gateway. */
export interface Served {
  /** Base URL for clients: `http://127.0.0.1:8080/v1`. */
  readonly baseURL: string;
  /**
   * Stops the server. New requests are refused at once; those in progress may take up to `grace` milliseconds (default
   * 0).
   */
  close(options?: { readonly grace?: number }): Promise<void>;
}

/** Options of a gateway's server. */
export interface ListenOptions {
  /** Port; 0 takes a free one (default). */
  readonly port?: number;
  /** Address to listen on (default 127.0.0.1, which other machines cannot reach). Connections are not encrypted. */
  readonly host?: string;
  /** Maximum number of open connections (default 1,024); further ones are closed. */
  readonly connections?: number;
  /** Milliseconds after which idle connections are closed (default: never, since an update of a model in training may block for longer). */
  readonly idle?: number;
  /** Limits on the bodies of requests. */
  readonly body?: BodyLimits;
}

/** Limits on the headers of a request: Node answers 431 above this size, and 408 after this time. */
const headerLimits = { maxHeaderSize: 16_384, headersTimeout: 60_000 };

/** Serves a gateway, by default only to programs on this machine. */
export async function serveGateway(
  gateway: Gateway,
  { port = 0, host = "127.0.0.1", connections = 1024, idle = 0, body }: ListenOptions = {},
): Promise<Served> {
  const answer = answerer(gateway);
  const server = createServer(headerLimits, (incoming, outgoing) => {
    void respond(answer, incoming, outgoing, body);
  });
  await new Promise<void>((done, failed) => {
    server.once("error", failed);
    server.listen(port, host, done);
  });
  // Clients of a model in training would find their sockets closed after an update: hence no limit by default.
  server.keepAliveTimeout = idle;
  server.maxConnections = connections;
  // Open client sockets do not keep the process alive.
  server.unref();
  server.on("connection", (socket) => socket.unref());
  const { port: own } = server.address() as AddressInfo;
  return {
    baseURL: `http://${host.includes(":") ? `[${host}]` : host}:${own}/v1`,
    async close({ grace = 0 } = {}) {
      gateway.draining = true;
      const end = performance.now() + grace;
      while (gateway.pending > 0 && performance.now() < end) await pause(20);
      // The last replies are generated; let them be written.
      if (grace > 0) await pause(50);
      await new Promise<void>((done) => {
        server.close(() => done());
        server.closeAllConnections();
      });
    },
  };
}

const pause = (milliseconds: number) => new Promise((done) => setTimeout(done, milliseconds));

async function respond(
  answer: ReturnType<typeof answerer>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  limits: BodyLimits | undefined,
): Promise<void> {
  const disconnected = new AbortController();
  outgoing.on("close", () => {
    if (!outgoing.writableFinished) disconnected.abort(new Error("The client disconnected."));
  });
  const { method = "GET", url = "/" } = incoming;
  try {
    const { status, headers, body } = await answer({
      method,
      path: url.replace(/[?#].*$/s, ""),
      signal: disconnected.signal,
      header: (name) => incoming.headers[name] as string | undefined,
      text: () =>
        bodyText(({ add, end, fail }) => incoming.on("data", add).on("end", end).on("error", fail), limits),
    });
    outgoing.statusCode = status;
    for (const [name, value] of Object.entries(headers)) outgoing.setHeader(name, value);
    if (typeof body === "string") {
      if (!incoming.complete) await sendEarly(body, incoming, outgoing);
      else outgoing.end(body);
      return;
    }
    const mail = gathered((text) => outgoing.destroyed || outgoing.write(text));
    await body.to(mail.add);
    outgoing.end(mail.rest());
  } catch {
    // The client disconnected, or sent an invalid request.
    if (!outgoing.headersSent) outgoing.writeHead(400);
    outgoing.end();
  }
}

/** Maximum bytes and milliseconds of a body that are discarded after the response. */
const discarded = { bytes: 64 * 2 ** 20, milliseconds: 1000 };

/**
 * Responds to a request whose body was not fully read, and closes the connection. The rest of the body is discarded
 * for a moment: a client that is still sending would lose the response if the connection closed at once.
 */
async function sendEarly(body: string, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  outgoing.setHeader("connection", "close");
  outgoing.setHeader("content-length", new TextEncoder().encode(body).length);
  outgoing.write(body);
  await new Promise<void>((done) => {
    const timer = setTimeout(done, discarded.milliseconds);
    let left = discarded.bytes;
    incoming.on("data", (piece: Uint8Array) => {
      left -= piece.byteLength;
      if (left < 0) done();
    });
    incoming.on("close", () => {
      clearTimeout(timer);
      done();
    });
    incoming.resume();
  });
  outgoing.end();
}

/** Batches writes: a piece that follows a pause is written at once, pieces of the same millisecond together. */
function gathered(write: (text: string) => void) {
  let [waiting, last] = ["", performance.now()];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const rest = () => {
    clearTimeout(timer);
    timer = undefined;
    const all = waiting;
    waiting = "";
    return all;
  };
  const send = () => {
    last = performance.now();
    write(rest());
  };
  return {
    add(text: string): void {
      waiting += text;
      if (performance.now() - last >= 1) send();
      else timer ??= setTimeout(send, 1);
    },
    /** The unwritten rest. */
    rest,
  };
}
