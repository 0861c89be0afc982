import { ppo } from "@reins/algorithms";
import { Run } from "@reins/core";
import { make } from "@reins/envs";
import { type BackendName, leaves, setBackend, type Tree } from "@reins/tensor";
import { digestOf } from "../../tensor/dist/testing/digest.js";
import { profiled } from "./profile.ts";
import { type Section, timed } from "./section.ts";

interface Sizes {
  readonly hidden: number[];
  readonly envs: number;
  readonly steps: number;
  readonly epochs: number;
  readonly minibatches: number;
}

/** PPO on CartPole whose environments are part of the compiled round. */
function cartPole(sizes: Sizes): Run {
  const id = "CartPole-v1";
  const of = (rows: number) => make(id, { rows, traced: true });
  const env = { spec: of(1).spec, make: of };
  return new Run({ algorithm: ppo(sizes), env, steps: 1000 * sizes.envs * sizes.steps, seed: 1 });
}

/** The digest of the weights after rounds on a back end. */
export function weightsAfter(backend: BackendName, rounds: number, sizes: Sizes): string {
  setBackend(backend);
  const run = cartPole(sizes);
  for (let i = 0; i < rounds; i++) run.round();
  return digestOf(leaves(run.process.acting?.weights as Tree));
}

/** PPO on CartPole in exact f32, with environments on the GPU: the whole round is one function. */
export const loop: Section = {
  name: "loop",
  *rows({ large }) {
    setBackend("cuda");
    for (const envs of large ? [1024, 4096, 65536] : [16]) {
      const steps = large ? 32 : 4;
      const run = cartPole({ hidden: [64, 64], envs, steps, epochs: 4, minibatches: 4 });
      const round = () => run.advance(run.steps + 1);
      const compiled = timed(round);
      yield { what: `PPO, ${envs} environments: first round`, result: `${compiled.seconds.toFixed(1)} s` };
      const rounds = large ? 5 : 1;
      round();
      const { seconds } = timed(() => {
        for (let i = 0; i < rounds; i++) round();
      });
      const rate = (rounds * envs * steps) / seconds;
      yield {
        what: `PPO, ${envs} environments`,
        result: `${(rate / 1e6).toFixed(2)} M steps/s`,
        numbers: { rate },
      };
      if (envs !== 1024) yield* profiled(`PPO ${envs}`, 16, round);
    }
  },
};
