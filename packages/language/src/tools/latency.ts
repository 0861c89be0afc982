import type { Generator } from "@reins/core";
import type { Tool } from "./tool.ts";

/** Milliseconds that a call takes. */
export type Latency = (random: Generator) => number;

/** Mostly short, now and then long: the logarithm is normal. `typical` is the median. */
export const lognormal =
  (typical: number, spread = 1): Latency =>
  (random) =>
    typical * Math.exp(spread * random.normal());

/** A tool that takes its time before it answers, as tools over a network do: for tests of what waits for it. */
export function delayed<S>(slow: Tool<never, S>, latency: Latency): Tool<never, S> {
  return {
    ...slow,
    async run(args, context) {
      await new Promise<void>((done) => {
        const timer = setTimeout(done, latency(context.random));
        context.signal.addEventListener("abort", () => {
          clearTimeout(timer);
          done();
        });
      });
      return slow.run(args, context);
    },
  };
}
