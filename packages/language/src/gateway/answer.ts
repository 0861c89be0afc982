/** The parts of a request that the gateway reads. */
export interface GatewayRequest {
  readonly method: string;
  readonly path: string;
  readonly signal: AbortSignal;
  header(name: string): string | null | undefined;
  text(): Promise<string>;
}

/** A body that is sent in pieces. */
export interface BodyStream {
  /** Sends every piece to the listener. Resolves at the end to the HTTP status that fits the outcome. */
  to(listener: (text: string) => void): Promise<number>;
}

/**
 * A response. Servers write it directly: web streams and `Request` objects would cost more than all other work of a
 * call.
 */
export interface Answer {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly body: string | BodyStream;
}

/** A JSON response. */
export const jsonAnswer = (value: unknown, status = 200): Answer => ({
  status,
  headers: { "content-type": "application/json" },
  body: JSON.stringify(value),
});

/** The answer as a web `Response`. `left` is called when the client disconnects. */
export function responseOf({ status, headers, body }: Answer, left: () => void): Response {
  const given = { status, headers: { ...headers } };
  if (typeof body === "string") return new Response(body, given);
  const encoder = new TextEncoder();
  let cancelled = false;
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      const sent = body.to((text) => {
        if (!cancelled) controller.enqueue(encoder.encode(text));
      });
      void sent.then(() => {
        if (!cancelled) controller.close();
      });
    },
    cancel() {
      cancelled = true;
      left();
    },
  });
  return new Response(stream, given);
}
