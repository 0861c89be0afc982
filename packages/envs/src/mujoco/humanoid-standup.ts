import { humanoidForm, observed } from "./humanoid.ts";
import { humanoidModel } from "./humanoid-body.ts";
import {
  bounds,
  common,
  effort,
  type MujocoTask,
  noise,
  rangeOf,
  settled,
  squares,
  type TaskOptions,
  weight,
} from "./task.ts";

const id = "HumanoidStandup-v5";

/** Options of {@link humanoidStandup}. */
export const humanoidStandupOptions = {
  ...common(5),
  uphCostWeight: weight(1, "Weight of the height of the trunk."),
  ctrlCostWeight: weight(0.1, "Weight of the control cost."),
  impactCostWeight: weight(5e-7, "Weight of the contact cost."),
  impactCostRange: bounds("[null, 10]", "Bounds of the contact cost."),
  resetNoiseScale: noise(1e-2),
  ...observed,
};

/** Stand up from the ground. */
export function humanoidStandup(options: TaskOptions<typeof humanoidStandupOptions> = {}): MujocoTask {
  const o = settled(id, humanoidStandupOptions, options);
  const [least, most] = rangeOf(id, "impactCostRange", o.impactCostRange, [Number.NEGATIVE_INFINITY, 10]);
  return {
    ...humanoidForm(o),
    id,
    frameSkip: o.frameSkip,
    xmlFile: o.xmlFile,
    model: () => humanoidModel("lying"),
    view: { from: "side", across: 4, middle: [0.4, 0.8], follows: true },
    reward(now) {
      const { qpos, cfrcExt } = now.arrays;
      // Height over the duration of one physics step: Gymnasium's scale.
      const height = (o.uphCostWeight * qpos[2]) / now.timestep;
      const impact = o.impactCostWeight * squares(cfrcExt);
      return height - o.ctrlCostWeight * effort(now) - Math.min(most, Math.max(least, impact)) + 1;
    },
  };
}
