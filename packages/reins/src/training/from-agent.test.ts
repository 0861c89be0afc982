import { ars, dqn } from "@reins/algorithms";
import { box, discrete, type Env } from "@reins/core";
import type { Tensor } from "@reins/tensor";
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

/** Every observation of its episodes, which are longer than the runs, is `level`. */
const flat = (level: number) => (): Env => ({
  spec: { id: "Flat-v0", observation: box([1], 0, 1), action: discrete(2) },
  reset: () => ({ observation: [level] }),
  step: () => ({ observation: [level], reward: level, terminated: false, truncated: false }),
});

it("joins no steps of the earlier run to those of the new one", async () => {
  const algorithm = dqn({ hidden: [4], nStep: 3, learningStarts: 16, batch: 4, envs: 2 });
  const first = await train({ algorithm, env: flat(0), steps: 64, evalEpisodes: 0 });
  const from = await first.save(undefined, { training: true });
  const { run } = await train({ from, algorithm, env: flat(1), steps: 64, evalEpisodes: 0 });
  const { columns, size } = run.process.parts.replay as unknown as {
    readonly columns: Readonly<Record<"observation" | "next" | "reward", Tensor>>;
    readonly size: Tensor;
  };
  const entries = Array.from({ length: size.data[0] }, (_, i) =>
    [columns.observation, columns.reward, columns.next].map((t) => t.data[i].toFixed(4)).join(" "),
  );
  expect([...new Set(entries)]).toEqual(["0.0000 0.0000 0.0000", "1.0000 2.9701 1.0000"]);
});
