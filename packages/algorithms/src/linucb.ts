import { type ActingPolicy, type Discrete, define, type EnvSpec, fail, setting, size } from "@reins/core";
import { showSpace } from "@reins/core/spaces";
import {
  add,
  argmax,
  broadcastTo,
  iota,
  mod,
  mul,
  reshape,
  sum,
  type Tensor,
  take,
  tensor,
  zeros,
} from "@reins/tensor";
import { banditSizes, rowsOf } from "./bandits/arms.ts";
import { LinearModels } from "./bandits/linear-model.ts";
import { type BanditSetup, playBandit } from "./bandits/play.ts";

/** LinUCB (Li et al., 2010), with a model for each arm ("disjoint") or one for all (Chu et al., 2011). */
export const linucb = define({
  name: "linucb",
  summary:
    "Contextual bandits: a linear reward model per arm, and the arm with the highest upper confidence bound.",
  paper: "A Contextual-Bandit Approach to Personalized News Article Recommendation (Li et al., 2010)",
  options: {
    alpha: setting(
      1,
      "Width of the confidence bound in standard deviations. Higher explores longer (0.1 to 2; more with noisy rewards).",
      { within: "nonnegative" },
    ),
    ridge: size(1, "Ridge penalty. Higher needs more pulls to move away from 0 (0.1 to 10).", {
      within: "positive",
    }),
    shared: size(
      false,
      "One model for all arms instead of one per arm. For observations with features of every arm, [arms, features]: arms generalise to each other.",
    ),
    ...banditSizes,
  },
  actions: ["discrete"],
  requires: ({ spec }) => void layoutOf(spec, (spec.action as Discrete).n, false),
  start(o, context) {
    const { spec } = context;
    const { n: arms } = spec.action as Discrete;
    const { features, perArm } = layoutOf(spec, arms, o.shared);
    return playBandit("linucb", o, context, (setup) => {
      const { rows, env } = setup;
      const each = o.shared ? 1 : arms;
      const models = new LinearModels(rows * each, features, o.ridge);
      const width = perArm ? arms * features : features;
      /** The context at the time of the choice: afterwards it changes. */
      const seen = new Float64Array(rows * width);
      const modelOf = (row: number, arm: number) => row * each + (o.shared ? 0 : arm);
      const placeOf = (row: number, arm: number) => row * width + (perArm ? arm * features : 0);
      return {
        choose(row) {
          const { data } = env.observation as Tensor;
          for (let i = row * width; i < (row + 1) * width; i++) seen[i] = data[i];
          let best = 0;
          let most = Number.NEGATIVE_INFINITY;
          for (let a = 0; a < arms; a++) {
            const model = modelOf(row, a);
            const at = placeOf(row, a);
            const bound =
              models.predict(model, seen, at) +
              o.alpha.value * Math.sqrt(models.uncertainty(model, seen, at));
            if (bound <= most) continue;
            best = a;
            most = bound;
          }
          return best;
        },
        learn: (row, arm, reward) => models.learn(modelOf(row, arm), seen, placeOf(row, arm), reward),
        ...bestPrediction(spec, setup, models, { each, perArm }),
        parts: models.parts,
      };
    });
  },
});

/** Layout of a context: features shared by all arms, or features of each arm. */
function layoutOf({ id, observation }: EnvSpec, arms: number, shared: boolean) {
  const shape = observation.kind === "box" ? observation.shape : [];
  const perArm = shape.length === 2 && shape[0] === arms;
  if (shape.length !== 1 && !perArm)
    fail(
      "linucb",
      `observations of ${id} are ${showSpace(observation)}; linucb takes a context Box([features]), or Box([${arms}, features]) with a row for each arm.`,
    );
  if (shared && !perArm)
    fail(
      "linucb",
      `shared is set, but observations of ${id} have no features per arm, so all arms would look the same. Set shared to false.`,
    );
  return { features: shape[shape.length - 1], perArm };
}

/** The arm with the highest prediction. */
function bestPrediction(
  spec: EnvSpec,
  { rows, arms }: BanditSetup,
  models: LinearModels,
  { each, perArm }: { each: number; perArm: boolean },
) {
  const { features } = models;
  const { start } = spec.action as Discrete;
  const weights = { theta: zeros([rows, each, features]) };
  const policy: ActingPolicy<typeof weights> = {
    host: true,
    init: () => ({ theta: zeros([rows, each, features]) }),
    act({ theta }, view, state) {
      const x = (view.observation as Tensor).data;
      const predict = (row: number, arm: number) => {
        const model = ((row % rows) * each + (each === 1 ? 0 : arm)) * features;
        const at = perArm ? (row * arms + arm) * features : row * features;
        let sum = 0;
        for (let i = 0; i < features; i++) sum += theta.data[model + i] * x[at + i];
        return sum;
      };
      const action = Int32Array.from({ length: rowsOf(view) }, (_, row) => {
        let best = 0;
        for (let a = 1; a < arms; a++) if (predict(row, a) > predict(row, best)) best = a;
        return start + best;
      });
      return { action: tensor(action, { shape: [action.length], dtype: "i32" }), state };
    },
    best({ theta }, view) {
      const count = rowsOf(view);
      const model = broadcastTo(take(theta, mod(iota([count]), rows)), [count, arms, features]);
      const seen = reshape(view.observation as Tensor, [count, perArm ? arms : 1, features]);
      return add(argmax(sum(mul(model, seen), { axis: -1 }), -1), start);
    },
  };
  const publish = () => weights.theta.data.set(models.theta);
  return { policy, weights, publish };
}
