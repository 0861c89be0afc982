import { defaultRng } from "@reins/core/random";
import { loadMujoco } from "@reins/envs";
import { loadedEngine } from "../../../envs/dist/mujoco/engine.js";
import { halfCheetah } from "../../../envs/dist/mujoco/half-cheetah.js";
import type { Workload } from "./workload.ts";

/** MuJoCo without an environment: HalfCheetah's model with random controls and the frame skip of the environment. */
export async function rawMujoco(): Promise<Workload> {
  await loadMujoco();
  const { id, frameSkip, maxSteps, model: text } = halfCheetah();
  const engine = loadedEngine(id);
  const model = engine.MjModel.from_xml_string(text());
  const data = new engine.MjData(model);
  const { ctrl } = data;
  const actions = defaultRng(1).fillUniform(new Float64Array(1000 * ctrl.length), -1, 1);
  let t = 0;
  return {
    version: `MuJoCo ${engine.mj_versionString()}`,
    iterate() {
      for (let i = 0; i < 64; i++, t++) {
        if (t % maxSteps === 0) engine.mj_resetData(model, data);
        const at = (t % 1000) * ctrl.length;
        for (let j = 0; j < ctrl.length; j++) ctrl[j] = actions[at + j];
        for (let j = 0; j < frameSkip; j++) engine.mj_step(model, data);
      }
      return 64;
    },
  };
}
