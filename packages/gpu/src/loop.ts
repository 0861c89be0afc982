import { ppo } from "@reins/algorithms";
import { Run } from "@reins/core";
import { make } from "@reins/envs";
import { setBackend } from "@reins/tensor";
import { profiled } from "./profiled.ts";
import { type Section, timed } from "./section.ts";

/** PPO on CartPole in exact f32, with environments on the GPU: the whole round is one function. */
export const loop: Section = {
  name: "loop",
  *rows({ large }) {
    setBackend("cuda");
    for (const envs of large ? [1024, 4096, 65536] : [16]) {
      const steps = large ? 32 : 4;
      const id = "CartPole-v1";
      const of = (rows: number) => make(id, { rows, traced: true });
      const env = { spec: of(1).spec, make: of };
      const algorithm = ppo({ hidden: [64, 64], envs, steps, epochs: 4, minibatches: 4 });
      const run = new Run({ algorithm, env, steps: 1000 * envs * steps, seed: 1 });
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
