import type { Generated } from "../generation/sequence.ts";

/** Replies that are streamed without delay, and the longest delay in milliseconds with more of them. */
const limits = { replies: 8, delay: 50 };

/**
 * Sends the new tokens of growing replies. With many replies in progress, tokens of a few steps are sent together: each
 * piece of a stream costs about as much as a token of a small model. The first token of a reply is sent at once.
 */
export function paced(
  active: () => number,
  send: (index: number, text: Generated) => void,
): { seen(index: number, text: Generated): void; end(): void } {
  const last: number[] = [];
  const timers = new Map<number, ReturnType<typeof setTimeout>>();
  const flush = (index: number, text: Generated) => {
    clearTimeout(timers.get(index));
    timers.delete(index);
    last[index] = performance.now();
    send(index, text);
  };
  return {
    seen(index, text) {
      const replies = active();
      const delay = replies > limits.replies ? Math.min(limits.delay, replies) : 0;
      const left = (last[index] ?? Number.NEGATIVE_INFINITY) + delay - performance.now();
      if (left <= 0) flush(index, text);
      else if (!timers.has(index))
        timers.set(
          index,
          setTimeout(() => {
            try {
              flush(index, text);
            } catch {
              // The end of the reply sends the rest, and reports what is wrong.
            }
          }, left),
        );
    },
    /** Ends the pacing: the caller sends the rest. */
    end() {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
    },
  };
}
