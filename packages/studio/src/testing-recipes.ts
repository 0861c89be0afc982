import type { RecipeBook, RecipeDetail, RecipeEffect, RecipeLine } from "./recipe-wire.ts";

const effect: RecipeEffect = {
  label: "new and old",
  verdict: "shown",
  kind: "difference",
  text: "2.00 (1.50 to 2.50)",
  isRatio: false,
  estimate: 2,
  low: 1.5,
  high: 2.5,
  middle: 0,
  size: 1,
  shown: [1, null],
};

const one: RecipeLine = {
  id: "one",
  title: "A paper with <b>markup</b> in its title",
  family: ["toy", "theory"],
  isOwn: false,
  state: "shown",
  level: "works",
  measured: {
    claims: [
      { text: "new against old: score", verdict: "shown", effect },
      { text: "new against old: speed", verdict: "reversed", effect: { ...effect, verdict: "reversed" } },
    ],
    seeds: 3,
  },
};
const two: RecipeLine = { id: "two", title: "Second", family: ["marl"], isOwn: false, state: "to write" };

const block = (firstSeed: number, isCheck: boolean) => ({
  firstSeed,
  isCheck,
  replicates: [0, 1, 2].map((i) => `${firstSeed + i}`),
  values: { new: { score: [3, 4, 5] }, old: { score: [1, 2, null] } },
});

const detail: RecipeDetail = {
  ...one,
  said: {
    about: "It is better.",
    source: "arXiv:1234.56789",
    deviations: ["Numbers stand for everything."],
    tried: [],
    covers: [],
    finding: "It is better by 2.",
  },
  result: {
    claims: [
      {
        text: "new against old: score higher by at least 1",
        verdict: "shown",
        because: "it is an example",
        effects: [
          {
            ...effect,
            blocks: [effect, effect],
            columns: ["new", "old"].map((side) => ({ label: side, side, metric: "score" })),
            isScatter: false,
          },
        ],
      },
    ],
    metrics: { score: { about: "score", better: "higher" } },
    tuned: "score",
    sides: [
      {
        name: "new",
        role: "system",
        settings: { bonus: 1 },
        points: [{ settings: { bonus: 1 }, values: [3] }],
      },
      { name: "old", role: "baseline", settings: {} },
    ],
    blocks: [block(100, false), block(1100, true)],
    plan: { replicates: 3, needed: 3 },
    judgedBefore: [],
    measuredAt: "0123456789",
    machine: "wasm on a table",
    wallSeconds: 1,
    processorSeconds: 1,
  },
  history: [{ measuredAt: "abcdef", seeds: [50, 52], claims: ["it was worse"], because: "it was wrong" }],
  file: "toy/one.ts",
  code: "export default recipe({});\n",
};

/** A test book of two systems, one of them measured. */
export const madeUpBook: RecipeBook = {
  list: async () => ({ recipes: [one, two] }),
  one: async (id) => (id === "one" ? detail : id === "two" ? { ...two, history: [] } : undefined),
};
