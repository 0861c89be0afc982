import { defaultRng } from "@reins/core/random";
import { makeSingle } from "@reins/envs";
import { expect, it } from "vitest";
import { expectResumes, runOf } from "./testing-resumes.ts";

it("a tabular algorithm with no tensor in it: Q-learning in a Float64Array", async () => {
  const run = await expectResumes(() =>
    runOf((context) => {
      const env = makeSingle("CliffWalking-v1");
      const q = new Float64Array(48 * 4);
      const rng = defaultRng(context.seed);
      const counters = {
        steps: 0,
        state: env.reset({ seed: context.seed }).observation as number,
        total: 0,
        last: 0,
      };
      const best = (s: number) => [1, 2, 3].reduce((a, b) => (q[4 * s + b] > q[4 * s + a] ? b : a), 0);
      return {
        get steps() {
          return counters.steps;
        },
        step() {
          for (let t = 0; t < 2000; t++, counters.steps++) {
            const { state } = counters;
            const action = rng.random() < 0.1 ? rng.integers(0, 4) : best(state);
            const { observation, reward, terminated, truncated } = env.step(action);
            const next = observation as number;
            const future = terminated ? 0 : q[4 * next + best(next)];
            q[4 * state + action] += 0.5 * ((reward as number) + future - q[4 * state + action]);
            counters.total += reward as number;
            counters.state = next;
            if (terminated || truncated) {
              counters.last = counters.total;
              counters.total = 0;
              counters.state = env.reset().observation as number;
            }
          }
          return { "return/last": counters.last, "value/start": q[4 * 36 + best(36)] };
        },
        parts: {
          q,
          counters,
          env,
          rng,
        },
      };
    }),
  );
  for (let i = 0; i < 20; i++) run.round();
  expect(run.metrics["value/start"]).toBeCloseTo(-13, 3);
});
