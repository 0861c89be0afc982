import { yieldToEventLoop } from "../generation/event-loop.ts";
import type { Answer } from "./answer.ts";
import { ApiError } from "./api-error.ts";
import { event } from "./chat-response.ts";

/**
 * A stream of server-sent events. Generation stops when the client disconnects, by the signal. A failure before the
 * first event is an HTTP error; a later one is sent as an event, since the status has been sent.
 */
export async function eventStream(
  signal: AbortSignal,
  work: (send: (text: string) => void) => Promise<void>,
): Promise<Answer> {
  const held: string[] = [];
  let listener: ((text: string) => void) | undefined;
  const send = (text: string) => {
    if (signal.aborted) return;
    if (listener) listener(text);
    else held.push(text);
  };
  const ended = work(send);
  // A request that is rejected at once gets its HTTP status.
  const first = await Promise.race([
    ended.then(undefined, (error: unknown) => ({ error })),
    yieldToEventLoop(),
  ]);
  if (first) throw first.error;
  const finished = ended.then(
    () => (signal.aborted ? 499 : 200),
    (error: unknown) => {
      const { message, code, status } =
        error instanceof ApiError
          ? error
          : { message: `${(error as Error)?.message ?? error}`, code: null, status: 500 };
      send(event({ error: { message, type: "server_error", param: null, code } }));
      return signal.aborted ? 499 : status;
    },
  );
  return {
    status: 200,
    headers: { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" },
    body: {
      to(own) {
        held.forEach(own);
        listener = own;
        return finished;
      },
    },
  };
}
