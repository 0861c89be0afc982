import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createServer } from "#node";
import { type BodyLimits, bodyText } from "./body.ts";
import type { Gateway } from "./gateway.ts";
import { answerer } from "./handler.ts";

/** A gateway that listens. */
export interface Served {
  /** What clients take as their base URL: `http://127.0.0.1:8080/v1`. */
  readonly baseURL: string;
  close(): Promise<void>;
}

/** How a gateway listens. */
export interface ListenOptions {
  /** Port; 0 takes a free one (default). */
  readonly port?: number;
  /** Limits on the bodies of requests. */
  readonly body?: BodyLimits;
}

/** Limits on the headers of a request: Node answers 431 above this size, and 408 after this time. */
const headerLimits = { maxHeaderSize: 16_384, headersTimeout: 60_000 };

/** Serves a gateway to programs on this machine. Other machines cannot reach it. */
export async function serveGateway(
  gateway: Gateway,
  { port = 0, body }: ListenOptions = {},
): Promise<Served> {
  const answer = answerer(gateway);
  const server = createServer(headerLimits, (incoming, outgoing) => {
    void respond(answer, incoming, outgoing, body);
  });
  await new Promise<void>((done, failed) => {
    server.once("error", failed);
    server.listen(port, "127.0.0.1", done);
  });
  // An update may hold everything up for longer than sockets are kept: clients would find theirs closed.
  server.keepAliveTimeout = 0;
  // A program that has nothing else to do may end, whatever sockets its clients keep.
  server.unref();
  server.on("connection", (socket) => socket.unref());
  const { port: own } = server.address() as AddressInfo;
  return {
    baseURL: `http://127.0.0.1:${own}/v1`,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

async function respond(
  answer: ReturnType<typeof answerer>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  limits: BodyLimits | undefined,
): Promise<void> {
  const gone = new AbortController();
  outgoing.on("close", () => {
    if (!outgoing.writableFinished) gone.abort(new Error("The client has left."));
  });
  const { method = "GET", url = "/" } = incoming;
  try {
    const { status, headers, body } = await answer({
      method,
      path: url.replace(/[?#].*$/s, ""),
      signal: gone.signal,
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
    // A client that left in the middle, or sent what is no request.
    if (!outgoing.headersSent) outgoing.writeHead(400);
    outgoing.end();
  }
}

/** How much of a body is discarded after the answer, in bytes and milliseconds. */
const discarded = { bytes: 64 * 2 ** 20, milliseconds: 1000 };

/**
 * Answers a request whose body was not read to its end, and closes the connection. What arrives in the next moment is discarded: a client
 * that is still sending would lose the answer if the connection were closed at once.
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

/** Writes pieces of a text: one that comes long after the last goes out at once, those of the same millisecond together, the first among them. */
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
    /** What has not gone out. */
    rest,
  };
}
