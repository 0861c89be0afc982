import { defaultRng, type Generator, stream } from "@reins/core/random";
import { type Grid, recipe, type Settings, type Trial, tableArm } from "@reins/recipes";
import * as flex from "./flex-exploration.parts.ts";

const grid = { ridge: [0.0003, 0.003, 0.03, 0.3], bound: [0.3, 0.5] } as const;
const held = { ridge: [0.003, 0.03], hold: [1, 5, 15, 40] } as const;
const bound = 0.5;

const arm = <G extends Grid>(
  name: string,
  policyOf: (settings: Settings<G>, random: Generator) => (view: flex.View, t: number) => number,
  own?: G,
) =>
  tableArm({
    name,
    ...(own && { grid: own }),
    begin({ seed, settings, budget }: Trial<G>, random: Generator) {
      const pendulum = flex.randomPendulum(defaultRng(stream(seed, "pendulum")));
      const noise = defaultRng(stream(seed, "noise"));
      const policy = policyOf(settings as Settings<G>, random);
      const model = new flex.LeastSquares(flex.count, settings.ridge as number);
      const x = new Float64Array(flex.count);
      const visited: [number, number][] = [];
      let [angle, speed, area, seen] = [0, 0, 0, 0];
      return {
        step(t) {
          visited.push([angle, speed]);
          const u = Math.max(-bound, Math.min(bound, policy({ angle, speed, model, visited }, t)));
          const gain = flex.acceleration(pendulum, angle, speed) + noise.normal(0, flex.noise);
          model.learn(flex.features(angle, speed, x), gain);
          angle += flex.interval * speed;
          speed += flex.interval * (gain + u);
          // Eight looks, the last one at the end.
          if ((8 * (t + 1)) % budget < 8) {
            area += flex.fieldError(pendulum, model.weights);
            seen++;
          }
          return speed;
        },
        values: () => ({
          error: flex.fieldError(pendulum, model.weights),
          area: area / seen,
          speed: Math.max(...visited.map(([, s]) => Math.abs(s))),
        }),
      };
    },
  });

type Bounded = Settings<typeof grid>;

export default recipe({
  id: "flex-exploration",
  paper: "FLEX: an Adaptive Exploration Algorithm for Nonlinear Systems",
  source: "arXiv:2304.13426, MB-29/FLEX",
  about:
    "To learn the dynamics of a system from one trajectory, FLEX chooses the control for which the next state tells most about the parameters of the model: the features after the next step are linearised in the control, and the quadratic form of the inverse information matrix is maximised (D-optimal design), which costs one product of a matrix with a vector. Claimed: a better model from the same number of samples than random controls and than maximising the distance to visited states.",
  system: arm(
    "FLEX",
    ({ bound }: Bounded) =>
      (view) =>
        flex.mostInformative(view, bound),
  ),
  baselines: [
    arm(
      "random controls",
      ({ bound }: Bounded, random) =>
        () =>
          random.chance(0.5) ? bound : -bound,
    ),
    arm(
      "random controls, held",
      ({ hold }: Settings<typeof held>, random) => {
        let u = bound;
        return (_, t) => {
          if (t % hold === 0) u = random.chance(0.5) ? bound : -bound;
          return u;
        };
      },
      held,
    ),
    arm(
      "distance to visited states",
      ({ bound }: Bounded) =>
        (view) =>
          flex.furthest(view, bound),
    ),
    arm(
      "along the speed",
      ({ bound }: Bounded) =>
        ({ speed }) =>
          speed < 0 ? -bound : bound,
    ),
  ],
  ablations: [
    arm(
      "FLEX without a memory",
      ({ bound }: Bounded) =>
        (view) =>
          flex.mostInformative(view, bound, false),
    ),
  ],
  metrics: {
    area: {
      about:
        "relative error of the learned accelerations over all angles and speeds, mean over the trajectory",
      better: "lower",
      worst: 100,
      best: 0,
    },
    error: {
      about: "relative error of the learned accelerations at the end",
      better: "lower",
      worst: 100,
      best: 0,
    },
  },
  claims: [
    {
      metric: "area",
      smallest: 0.05,
      because: "a twentieth of the field's size is what a controller with that model would notice",
      paper: "lower errors than all other policies at equal numbers of samples (curves)",
    },
    {
      metric: "area",
      contrast: ["FLEX", "random controls"],
      smallest: 0.1,
      because: "random controls cost nothing to choose: a tenth of the field's size is worth a design",
    },
  ],
  grid,
  limits: { bound: [0.05, 0.5], hold: [1, 200], ridge: [1e-6, 100] },
  replicates: "pendulum",
  minutes: 3,
  budget: { unit: "steps", full: 400, quick: 80 },
  deviations: [
    "A pendulum with drag in a random field, whose acceleration is a weighted sum of 56 bumps, replaces the paper's pendulum with a network, its cart-pole, arm and quadrotor. The effect of the control is known, as in the authors' program for linear models.",
    "The bound of the control is tuned downwards, and random controls are held for a tuned time, which the authors' do not. Controls along the speed, which swing the pendulum up, are our baseline and know the system.",
    "With one control and one unknown coordinate the maximum lies on the bound, so that no quadratic program is solved; the paper's random choice of a coordinate is not needed.",
  ],
  tried: [
    "Four pendulums: FLEX 0.25, random controls 0.54, held for 15 steps 0.28, distance to visited states 0.34, along the speed 0.37.",
  ],
  finding: (f) =>
    `FLEX learns a better model from the same number of steps than any other policy; against the best of them the size is open. Against the best baseline the error falls by ${f.effect(0)}, against random controls by ${f.effect(1)}, over ${f.count} pendulums. What speaks against it: random controls that are held for a tuned time end with an error of ${f.mean("random controls, held", "error")}, FLEX with ${f.mean("FLEX", "error")}, the distance to visited states with ${f.mean("distance to visited states", "error")}. The information of the past is what matters: without it FLEX rests near the bottom and its error is ${f.mean("FLEX without a memory", "area")}, not ${f.mean("FLEX", "area")}.`,
});
