import { a2c, impala, ppg, ppo, pqn, trpo } from "@reins/algorithms";
import { save } from "@reins/core/snapshots";
import { expect, it } from "vitest";
import { train } from "../train.ts";
import type { Trained } from "./result.ts";

const small = { envs: 4, steps: 16, hidden: [8] };

it.each([
  ["a2c", a2c(small)],
  ["impala", impala({ ...small, minibatches: 1 })],
  ["ppg", ppg({ ...small, minibatches: 2 })],
  ["ppo with a scaled critic", ppo({ ...small, envs: 3, steps: 10, minibatches: 2, popArt: true })],
  ["pqn", pqn({ ...small, minibatches: 2 })],
  ["trpo", trpo({ ...small, minibatches: 2 })],
])("%s in lockstep gives the weights of separate runs", async (_, algorithm) => {
  const options = {
    algorithm,
    env: "CartPole-v1",
    envOptions: { traced: true },
    steps: 192,
    evalEpisodes: 0,
  };
  const { agents } = await train({ ...options, seeds: [1, 2] });
  const alone = await train({ ...options, seed: 2 });
  const learned = ({ run }: Trained) => save(run.process.parts.weights);
  expect(learned(agents[1])).toEqual(learned(alone));
});
