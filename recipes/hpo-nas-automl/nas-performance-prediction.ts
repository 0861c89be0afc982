import { defaultRng, type Generator, stream } from "@reins/core/random";
import { type Arm, type Grid, mean, recipe, type Settings, type Trial } from "@reins/recipes";
import * as nas from "./nas-performance-prediction.parts.ts";

/** Configurations of a search, the least epochs before one may be stopped, and what a point of accuracy is worth in trainings. */
const [least, worth] = [3, 20];
const grid = { threshold: [0.8, 0.9, 0.97], first: [6, 10, 16] } as const;
const median = { start: [3, 5, 8], quantile: [0.3, 0.5, 0.7] } as const;
const margins = { start: [3, 5, 8], margin: [0.01, 0.03, 0.1] } as const;
const halved = { start: [1, 2, 3], keep: [0.25, 0.34, 0.5] } as const;

/** A training that goes on by an epoch at a time. */
interface Training {
  readonly configuration: nas.Configuration;
  readonly curve: readonly number[];
  /** Trains an epoch more, if the training is not complete. */
  go(): void;
}

const done = ({ curve }: Training) => curve.length === nas.epochs;
const finals = (trainings: readonly Training[]) =>
  trainings.filter(done).map(({ curve }) => curve[nas.epochs - 1]);

const arm = <G extends Grid>(
  name: string,
  search: (settings: Settings<G>, trainings: readonly Training[]) => void,
  own?: G,
): Arm => ({
  name,
  ...(own && { grid: own }),
  run({ seed, settings, budget }: Trial<G>) {
    const data = nas.randomData(defaultRng(stream(seed, "data")));
    const random: Generator = defaultRng(stream(seed, "configurations"));
    const all = Array.from({ length: budget }, (_, i) => {
      const configuration = random.fillRandom(new Float64Array(nas.axes));
      return {
        configuration,
        whole: nas.learningCurve(data, configuration, defaultRng(stream(seed, "training", i))),
      };
    });
    let epochs = 0;
    const early: number[] = [];
    const trainings: Training[] = all.map(({ configuration, whole }) => {
      const curve: number[] = [];
      const go = () => {
        if (curve.length === nas.epochs) return;
        epochs++;
        curve.push(whole[curve.length]);
        if (early.length < 200) early.push(whole[curve.length - 1]);
      };
      return { configuration, curve, go };
    });
    search(settings as Settings<G>, trainings);
    const best = Math.max(...all.map(({ whole }) => whole[nas.epochs - 1]));
    const regret = best - Math.max(0, ...finals(trainings));
    const share = epochs / (budget * nas.epochs);
    const values = {
      utility: 1 - share - worth * regret,
      speedup: 1 / share,
      regret,
      tried: finals(trainings).length,
    };
    return { values, early: [...early, epochs], used: budget };
  },
});

/** Trains one configuration after the other, as long as a rule does not stop it. */
const oneByOne = (
  trainings: readonly Training[],
  stops: (training: Training, before: readonly Training[]) => boolean,
) =>
  trainings.forEach((training, i) => {
    const before = trainings.slice(0, i);
    while (!done(training) && !stops(training, before)) training.go();
  });

/** Stops where the predicted final value is below the best one with a probability above the threshold (section 3.3). */
const predicting =
  (featuresOf: (training: Training, length: number) => number[]) =>
  ({ threshold, first }: Settings<typeof grid>, trainings: readonly Training[]) => {
    const models = new Map<number, nas.Predictor>();
    oneByOne(trainings, (training, before) => {
      const length = training.curve.length;
      if (before.length < first || length < least) return false;
      let model = models.get(length);
      if (!model) {
        // As in the paper, the first configurations are trained completely and fit one model for each length.
        const complete = before.slice(0, first);
        const targets = complete.map(({ curve }) => curve[nas.epochs - 1]);
        model = new nas.Predictor(
          complete.map((t) => featuresOf(t, length)),
          targets,
          0.1,
        );
        models.set(length, model);
      }
      const best = Math.max(...finals(before));
      const predicted = model.predict(featuresOf(training, length));
      return nas.belowNormal((best - predicted) / model.deviation) > threshold;
    });
  };

export default recipe({
  id: "nas-performance-prediction",
  paper: "Accelerating Neural Architecture Search using Performance Prediction",
  source: "arXiv:1705.10823",
  about:
    "A search trains many configurations of a network. After the first ones, regressions predict the final validation accuracy of the others from the configuration, the curve so far and its differences, and a training stops where it is likely to stay below the best. Claimed: better predictions than Bayesian models of curves, and searches up to six times as fast that still find the best configuration.",
  system: arm(
    "predicted curves",
    predicting((t, length) => nas.curveFeatures(t.configuration, t.curve.slice(0, length))),
  ),
  baselines: [
    arm(
      "median rule",
      ({ start, quantile }: Settings<typeof median>, trainings) =>
        oneByOne(trainings, ({ curve }, before) => {
          const others = before
            .filter((t) => t.curve.length >= curve.length)
            .map((t) => mean(t.curve.slice(0, curve.length)));
          if (curve.length < start || others.length < 3) return false;
          return Math.max(...curve) < others.sort((a, b) => a - b)[Math.floor(quantile * others.length)];
        }),
      median,
    ),
    arm(
      "last value below the best",
      ({ start, margin }: Settings<typeof margins>, trainings) =>
        oneByOne(trainings, ({ curve }, before) => {
          if (curve.length < start || before.length < 3) return false;
          return curve[curve.length - 1] + margin < Math.max(...finals(before));
        }),
      margins,
    ),
    arm(
      "successive halving",
      ({ start, keep }: Settings<typeof halved>, trainings) => {
        let [left, length] = [[...trainings], Math.round(start)];
        for (
          ;
          left.length > 0;
          length = Math.min(nas.epochs, Math.max(length + 1, Math.round(length / keep)))
        ) {
          for (const t of left) while (t.curve.length < length) t.go();
          if (length === nas.epochs) break;
          const last = (t: Training) => t.curve[t.curve.length - 1];
          left = left.sort((a, b) => last(b) - last(a)).slice(0, Math.max(1, Math.round(keep * left.length)));
        }
      },
      halved,
    ),
  ],
  ablations: [
    arm(
      "predicted from the configuration and the last value",
      predicting((t, length) => [...t.configuration, t.curve[length - 1], 1]),
    ),
  ],
  metrics: {
    utility: {
      about: "share of the epochs that is saved, minus a fifth for each point of accuracy that is lost",
      better: "higher",
      worst: -20,
      best: 1,
    },
    speedup: { about: "epochs of all trainings over epochs used", better: "higher", worst: 0, best: "open" },
    regret: { about: "accuracy lost against the best configuration", better: "lower", worst: 1, best: 0 },
  },
  claims: [
    {
      metric: "utility",
      smallest: 0.03,
      because: "three of a hundred epochs, or a seventh of a point of accuracy, pay for a regression",
      paper: "better predictions and speed-ups than Bayesian curve models",
    },
    {
      kind: "at-least",
      metric: "speedup",
      value: 2,
      because: "a third of the paper's largest speed-up, still half of the epochs",
      paper: "up to six times as fast",
    },
    {
      kind: "at-most",
      metric: "regret",
      value: 0.005,
      because: "half a point of accuracy; the paper's searches find the best configuration",
    },
  ],
  grid,
  limits: {
    threshold: [0.5, 0.999],
    first: [4, 40],
    start: [1, 15],
    quantile: [0.05, 0.95],
    keep: [0.1, 0.9],
  },
  replicates: "search",
  minutes: 1,
  budget: { unit: "configurations", full: 60, quick: 24 },
  deviations: [
    "Random search over 60 networks with one hidden layer on synthetic points in a square, trained for 16 epochs, replaces convolutional networks and language models, Q-learning over architectures and Hyperband.",
    "Ridge regression replaces ν-support-vector regression; its deviation comes from leave-one-out errors, and a logistic function stands for the normal distribution.",
    "The median rule, the last value and successive halving are our baselines; the paper compares with Bayesian curve models and with Hyperband. Saved epochs and lost accuracy are joined to one number for tuning, with a weight set beforehand.",
  ],
  tried: [
    "Four searches: utility of predicted curves 0.39, median rule 0.33, last value 0.37, successive halving 0.64.",
  ],
  finding: (f) =>
    `Against the best baseline the utility changes by ${f.effect(0)}; the speed-up is ${f.effect(1)} and the accuracy lost ${f.effect(2)}, over ${f.count} searches.`,
});
