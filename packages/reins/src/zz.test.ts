import { ppo, sac, dqn, a2c } from "@reins/algorithms";
import { diagnose, reportFindings, Run, type VectorEnv } from "@reins/core";
import { make } from "@reins/envs";
import { it } from "vitest";
function scaled(id: string, k: number) {
  return (rows: number): VectorEnv => {
    const env = make(id, { rows });
    const { step } = env;
    env.step = (a) => { step.call(env, a); const d = env.reward.data; for (let i = 0; i < d.length; i++) { d[i] *= k; env.ended.return[i] *= env.terminated.data[i] | env.truncated.data[i] ? k : 1;} };
    return env;
  };
}
for (const [name, alg, id] of [["ppo", ppo({ envs: 8, steps: 64 }), "CartPole-v1"], ["ppo", ppo({ envs: 8, steps: 64 }), "Pendulum-v1"], ["a2c", a2c({}), "CartPole-v1"], ["dqn", dqn({ learningStarts: 256, capacity: 5000, hidden: [32] }), "CartPole-v1"], ["sac", sac({ learningStarts: 256, capacity: 5000, hidden: [32] }), "Pendulum-v1"]] as const)
  it(`${name} ${id}`, () => {
    const m = scaled(id, 1e6);
    const run = new Run({ algorithm: alg as never, env: { spec: m(1).spec, make: m }, steps: name==="sac"?1500: 8192, seed: 3, tolerant: true });
    run.advance();
    console.log(name, id, "\n" + diagnose(run).map(f => f.name + ": " + f.saw + " | " + f.fix).join("\n"), run.row);
  });
