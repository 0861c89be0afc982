import { recipe } from "../make.ts";
import type { Contract } from "./testing.ts";

/** A replication that holds in one market and not in the other. */
export const eiie: Contract = {
  recipe: (side) =>
    recipe({
      id: "eiie-replication",
      paper: "A Deep Reinforcement Learning Framework For Financial Portfolio Management",
      source: "arXiv:2409.08426",
      about:
        "Evaluators that are shared by all assets beat known strategies with cryptocurrencies, as was published, and not with stocks.",
      system: side("cnn"),
      baselines: [side("uniform"), side("olmar"), side("best stock")],
      ablations: [side("rnn"), side("lstm")],
      metrics: {
        crypto: { about: "log final value, cryptocurrencies", better: "higher", worst: -10, best: "open" },
        stocks: { about: "log final value, stocks", better: "higher", worst: -10, best: "open" },
        drawdown: { about: "deepest fall, cryptocurrencies", better: "lower", worst: 1, best: 0 },
      },
      claims: [
        {
          metric: "crypto",
          smallest: 0.5,
          contrast: ["cnn", "each"],
          interval: "bca",
          because: "two thirds more at the end of a back-test",
          paper: "superior returns",
        },
        { metric: "crypto", smallest: 0.5, contrast: ["rnn", "uniform"], because: "as of the CNN" },
        { metric: "crypto", smallest: 0.5, contrast: ["lstm", "uniform"], because: "as of the CNN" },
        {
          kind: "equivalent",
          metric: "stocks",
          sides: ["cnn", "uniform"],
          within: 0.1,
          because: "a tenth in value: what costs of trading explain",
          paper: "it does not do as well with stocks",
        },
        {
          kind: "interaction",
          metric: ["crypto", "stocks"],
          smallest: 0.5,
          contrast: ["cnn", "uniform"],
          because: "the edge in one market must be gone in the other",
        },
      ],
      replicates: "back-test",
      budget: { unit: "updates", full: 5e4, quick: 10 },
      deviations: ["Prices are made up: one market can be foreseen for a short time, the other hardly."],
    }),
  cases: [
    {
      made: {
        cnn: { crypto: [2.5, 0.4], stocks: [0.11, 0.03], drawdown: [0.3, 0.05] },
        uniform: { crypto: [0.7, 0.2], stocks: [0.1, 0.03], drawdown: [0.3, 0.05] },
        olmar: { crypto: [0.9, 0.4], stocks: [0.05, 0.03], drawdown: [0.4, 0.05] },
        "best stock": { crypto: [1.2, 0.4], stocks: [0.3, 0.03], drawdown: [0.5, 0.05] },
        rnn: { crypto: [2.2, 0.4], stocks: [0.1, 0.03], drawdown: [0.3, 0.05] },
        lstm: { crypto: [1.9, 0.4], stocks: [0.1, 0.03], drawdown: [0.3, 0.05] },
      },
      implies: ["shown", "shown", "shown", "shown", "shown"],
    },
  ],
};
