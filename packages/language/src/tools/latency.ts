import type { Generator } from "@reins/core/random";
import type { Tool } from "./tool.ts";

/** Milliseconds that a call takes. */
export type Latency = (random: Generator) => number;

/** Log-normal latency: mostly short, sometimes long. `typical` is the median. */
export const lognormal =
  (typical: number, spread = 1): Latency =>
  (random) =>
    typical * Math.exp(spread * random.normal());

/** A tool with latency, like tools over a network: for tests. */
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
