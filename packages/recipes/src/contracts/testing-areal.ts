import { recipe } from "../make.ts";
import type { Contract } from "./testing.ts";

/** Asynchronous training of language models: time by a simulated clock, and accuracy. */
export const areal: Contract = {
  recipe: (side) =>
    recipe({
      id: "areal",
      paper: "AReaL: A Large-Scale Asynchronous Reinforcement Learning System for Language Reasoning",
      source: "arXiv:2505.24298",
      about:
        "Workers generate without waiting and the trainer updates whenever a batch is there, which takes less time and costs no accuracy.",
      system: side("asynchronous"),
      baselines: [side("synchronous"), side("one step ahead"), side("waiting"), side("naive")],
      metrics: {
        time: {
          about: "simulated seconds of training",
          better: "lower",
          worst: 1e5,
          best: 0,
          clock: "simulated",
        },
        accuracy: { about: "accuracy", better: "higher", worst: 0, best: 1 },
      },
      tuneOn: "accuracy",
      claims: [
        {
          kind: "joint",
          because: "a speed-up counts only where nothing is lost for it",
          paper: "up to 2.57 times as fast, with matched or better accuracy",
          of: [
            {
              kind: "ratio",
              metric: "time",
              smallest: 1.5,
              contrast: ["asynchronous", "synchronous"],
              because: "a third of what the paper gains at most",
            },
            {
              kind: "no-worse",
              metric: "accuracy",
              margin: 0.02,
              contrast: ["asynchronous", "synchronous"],
              because: "points between seeds of the same method",
            },
          ],
        },
        {
          kind: "ratio",
          metric: "time",
          smallest: 1.2,
          contrast: ["asynchronous", "one step ahead"],
          because: "overlap by one step is what others had",
        },
        {
          kind: "ratio",
          metric: "time",
          smallest: 1.05,
          contrast: ["asynchronous", "waiting"],
          because: "interrupting what is generated is half the design",
        },
        {
          metric: "accuracy",
          smallest: 0.05,
          contrast: ["asynchronous", "naive"],
          because: "without its decoupled objective stale samples are said to ruin it",
          presupposes: {
            metric: "staleness",
            side: "naive",
            least: 2,
            because: "samples must be stale",
          },
        },
      ],
      budget: { unit: "updates", full: 250, quick: 2 },
      deviations: ["Latencies are drawn with a long tail; devices are a number of simulated workers."],
    }),
  cases: [
    {
      made: {
        asynchronous: { time: [1000, 30], accuracy: [0.5, 0.01], staleness: 4 },
        synchronous: { time: [2400, 90], accuracy: [0.495, 0.01], staleness: 0 },
        "one step ahead": { time: [1700, 60], accuracy: [0.49, 0.01], staleness: 1 },
        waiting: { time: [1150, 30], accuracy: [0.5, 0.01], staleness: 4 },
        naive: { time: [1000, 30], accuracy: [0.35, 0.02], staleness: 4 },
      },
      implies: ["shown", "shown", "shown", "shown"],
    },
    {
      // Fast, but the accuracy is lost; and nothing was stale.
      made: {
        asynchronous: { time: [1000, 30], accuracy: [0.42, 0.01], staleness: 0 },
        synchronous: { time: [2400, 90], accuracy: [0.495, 0.01], staleness: 0 },
        "one step ahead": { time: [1100, 30], accuracy: [0.49, 0.01], staleness: 1 },
        waiting: { time: [900, 10], accuracy: [0.5, 0.01], staleness: 0 },
        naive: { time: [1000, 30], accuracy: [0.43, 0.01], staleness: 0 },
      },
      implies: ["reversed", "negligible", "reversed", "untestable"],
    },
  ],
};
