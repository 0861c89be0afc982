import { lookups } from "./lookups.ts";

/** Habits of the teacher: it looks up even what it knows, and sometimes guesses what it does not. */
const habits = { needless: 0.75, hasty: 0.4 };

/** The common task of recipes about searching: the imitated teacher, training and evaluation. */
export const searching = {
  task: lookups({ id: "lookups by habit", ...habits }),
  levels: [1, 2, 4],
  model: { layers: 1, width: 32, imitation: 80_000 },
  options: { groups: 8, groupSize: 8, epochs: 1, clipNorm: 1 },
  score: { problems: 150, looks: 1 },
  quick: { levels: [1], model: { imitation: 36_000 } },
};

/** Metrics of all recipes about searching. */
export const searchMetrics = {
  accuracy: { about: "held-out accuracy", better: "higher", worst: 0, best: 1 },
  calls: { about: "searches per conversation", better: "lower", worst: 5, best: 0 },
} as const;
