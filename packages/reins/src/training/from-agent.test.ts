import { ars } from "@reins/algorithms";
import { expect, it } from "vitest";
import { train } from "../train.ts";
import type { Trained } from "./result.ts";

it("continues the observation statistics of a search method", async () => {
  const env = "Pendulum-v1";
  const first = await train({ algorithm: ars({}), env, steps: 4000, evalEpisodes: 0 });
  const from = await first.save(undefined, { training: true });
  const second = await train({ from, env, steps: 1, evalEpisodes: 0 });
  const counted = ({ run }: Trained) => (run.process.parts.seen as { count: Float64Array }).count[0];
  expect(counted(first)).toBeGreaterThan(1000);
  expect(counted(second)).toBeGreaterThan(counted(first));
});
