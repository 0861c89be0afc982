import { ApiError } from "./api-error.ts";
import { event } from "./chat-response.ts";

/**
 * An answer of events that come as they happen. Who leaves before its end is not written for any longer: `over` says so. What fails before
 * the first event is an answer of its own; what fails later is told as an event, since the status has been sent.
 */
export async function eventStream(
  signal: AbortSignal,
  work: (send: (text: string) => void, over: AbortSignal) => Promise<void>,
): Promise<Response> {
  const gone = new AbortController();
  const over = AbortSignal.any([signal, gone.signal]);
  const encoder = new TextEncoder();
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  const body = new ReadableStream<Uint8Array>({
    start: (c) => {
      controller = c;
    },
    cancel: () => gone.abort(new Error("The client has left.")),
  });
  const send = (text: string) => {
    if (!over.aborted) controller.enqueue(encoder.encode(text));
  };
  const held: string[] = [];
  let begun = false;
  const ended = work((text) => (begun ? send(text) : held.push(text)), over);
  // A request that is refused at once is refused by its status.
  const first = await Promise.race([
    ended.then(undefined, (error) => ({ error })),
    new Promise<undefined>((next) => setTimeout(next, 0)),
  ]);
  if (first && "error" in first) throw first.error;
  begun = true;
  held.forEach(send);
  ended
    .catch((error: unknown) => {
      const { message, code } =
        error instanceof ApiError ? error : { message: `${(error as Error)?.message ?? error}`, code: null };
      send(event({ error: { message, type: "server_error", param: null, code } }));
    })
    .finally(() => {
      if (!gone.signal.aborted) controller.close();
    });
  return new Response(body, {
    headers: { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" },
  });
}
