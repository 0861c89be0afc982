import type { ToolOutcome } from "./tool-rewards.ts";

/** A wrong answer to a question with two steps, without calls. */
export const outcome = (more: Partial<ToolOutcome> = {}): ToolOutcome => ({
  right: false,
  wellFormed: true,
  finished: true,
  way: ["f(h)", "g(i)"],
  known: false,
  done: 0,
  made: [],
  ...more,
});

/** Calls with their results: `f(h)=i`, or `f(h)` for a failed one. */
export const calls = (...all: readonly string[]): Pick<ToolOutcome, "made"> => ({
  made: all.map((text) => {
    const [call, result = null] = text.split("=");
    return { call, result };
  }),
});
