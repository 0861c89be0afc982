import { ApiError } from "./api-error.ts";

/** Limits on the body of a request. */
export interface BodyLimits {
  /** Maximum bytes (default 32 MiB). */
  readonly bytes?: number;
  /** Milliseconds within which the whole body must arrive (default 60 s). Time in which the process was busy does not count. */
  readonly deadline?: number;
}

/** Receives a body as it arrives. */
export interface BodySink {
  /** False once the body is rejected: reading can stop. */
  add(piece: Uint8Array): boolean;
  end(): void;
  fail(error: Error): void;
}

/** Timer ticks per deadline. A busy process skips ticks, so its clients are not charged for the time. */
const ticks = 8;

/**
 * The text of a body. Bytes are counted as they arrive: a body over the limit is rejected, whatever its
 * `Content-Length`, and not buffered.
 */
export function bodyText(
  read: (sink: BodySink) => void,
  { bytes: limit = 32 * 2 ** 20, deadline = 60_000 }: BodyLimits = {},
): Promise<string> {
  return new Promise((done, failed) => {
    const decoder = new TextDecoder();
    let [text, size, left, open] = ["", 0, ticks, true];
    const settle = (how: () => void) => {
      if (!open) return;
      open = false;
      clearInterval(timer);
      how();
      text = "";
    };
    const fail = (error: Error) => settle(() => failed(error));
    const timer = setInterval(() => {
      if (--left === 0) fail(new ApiError(408, `The body did not arrive within ${deadline / 1000} s.`));
    }, deadline / ticks);
    read({
      add(piece) {
        size += piece.byteLength;
        if (size > limit) fail(new ApiError(413, `The body has more than ${limit} bytes.`));
        else if (open) text += decoder.decode(piece, { stream: true });
        return open;
      },
      end: () => settle(() => done(text + decoder.decode())),
      fail,
    });
  });
}
