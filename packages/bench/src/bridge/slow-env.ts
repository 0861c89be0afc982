import { box, discrete, type Env } from "@reins/core";

/** An environment with a given step time in microseconds. */
export default function slow({ microseconds = 50 }: { readonly microseconds?: number }): Env {
  const answer = () => ({ observation: [0], reward: 1, terminated: false, truncated: false });
  return {
    spec: { id: "Slow-v0", observation: box([1]), action: discrete(2) },
    reset: answer,
    step() {
      const until = performance.now() + microseconds / 1000;
      while (performance.now() < until);
      return answer();
    },
  };
}
