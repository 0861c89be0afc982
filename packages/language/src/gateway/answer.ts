/** As much of a request as is looked at. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly signal: AbortSignal;
  header(name: string): string | null | undefined;
  text(): Promise<string>;
}

/** What is told piece by piece, once somebody listens. */
export interface Told {
  /** Tells all that there is, up to its end. */
  to(listener: (text: string) => void): Promise<void>;
}

/** An answer to a request. A server writes it as it is: streams and requests of the web cost more than all else that is done for a call. */
export interface Answer {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly body: string | Told;
}

/** An answer in JSON. */
export const jsonAnswer = (value: unknown, status = 200): Answer => ({
  status,
  headers: { "content-type": "application/json" },
  body: JSON.stringify(value),
});

/** The same, for whoever speaks fetch. `left` is called where nobody listens any more. */
export function responseOf({ status, headers, body }: Answer, left: () => void): Response {
  const given = { status, headers: { ...headers } };
  if (typeof body === "string") return new Response(body, given);
  const encoder = new TextEncoder();
  let gone = false;
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      const told = body.to((text) => {
        if (!gone) controller.enqueue(encoder.encode(text));
      });
      void told.then(() => {
        if (!gone) controller.close();
      });
    },
    cancel() {
      gone = true;
      left();
    },
  });
  return new Response(stream, given);
}
