import { ars } from "@reins/algorithms";
import { expect, it } from "vitest";
import { train } from "../train.ts";
import type { Trained } from "./result.ts";

it("what a search has seen of observations goes on with it", async () => {
  const env = "Pendulum-v1";
  const first = await train({ algorithm: ars({}), env, steps: 4000, evalEpisodes: 0 });
  const from = await first.save(undefined, { training: true });
  const still = ars({ learningRate: 0, sigma: 1e-9 });
  const second = await train({ from, algorithm: still, env, steps: 1, evalEpisodes: 0 });
  const torque = ({ act }: Trained) => (act([-1, 0, 6]) as ArrayLike<number>)[0];
  expect(torque(second)).toBeCloseTo(torque(first), 2);
});
