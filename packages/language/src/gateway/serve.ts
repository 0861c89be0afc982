import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createServer, Readable } from "#node";
import type { Gateway } from "./gateway.ts";
import { handler } from "./handler.ts";

/** A gateway that listens. */
export interface Served {
  /** What clients take as their base URL: `http://127.0.0.1:8080/v1`. */
  readonly baseURL: string;
  close(): Promise<void>;
}

/** Serves a gateway to programs on this machine, on a port that is free unless one is named. Nobody else can reach it. */
export async function serveGateway(gateway: Gateway, { port = 0 } = {}): Promise<Served> {
  const answer = handler(gateway);
  const server = createServer((incoming, outgoing) => {
    void respond(answer, incoming, outgoing);
  });
  await new Promise<void>((done, failed) => {
    server.once("error", failed);
    server.listen(port, "127.0.0.1", done);
  });
  // A program that has nothing else to do may end.
  server.unref();
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
  answer: ReturnType<typeof handler>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const gone = new AbortController();
  outgoing.on("close", () => {
    if (!outgoing.writableFinished) gone.abort(new Error("The client has left."));
  });
  const { method = "GET", url = "/" } = incoming;
  const hasBody = method !== "GET" && method !== "HEAD";
  const headers = Object.entries(incoming.headers).flatMap(([k, v]) =>
    typeof v === "string" ? [[k, v] as [string, string]] : [],
  );
  try {
    const request = new Request(`http://127.0.0.1${url}`, {
      method,
      headers,
      signal: gone.signal,
      ...(hasBody ? { body: Readable.toWeb(incoming) as ReadableStream, duplex: "half" } : {}),
    } as RequestInit);
    const response = await answer(request);
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    if (!response.body) {
      outgoing.end();
      return;
    }
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      if (outgoing.destroyed) break;
      outgoing.write(chunk);
    }
    outgoing.end();
  } catch {
    // A client that left in the middle, or sent what is no request.
    if (!outgoing.headersSent) outgoing.writeHead(400);
    outgoing.end();
  }
}
