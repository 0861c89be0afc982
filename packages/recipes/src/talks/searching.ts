import { lookups } from "./lookups.ts";

/** What is imitated before a model is to search well: it looks things up by habit, also those that it knows, and sometimes guesses what it does not. */
const habits = { needless: 0.75, hasty: 0.4 };

/** The task that recipes about searching share: what is imitated, by whom, how it learns and how it is measured. */
export const searching = {
  family: lookups({ id: "lookups by habit", ...habits }),
  levels: [1, 2, 4],
  model: { layers: 1, width: 32, imitation: 80_000 },
  options: { groups: 8, plays: 8, epochs: 1, clipNorm: 1 },
  score: { problems: 150, looks: 1 },
  quick: { levels: [1], model: { imitation: 36_000 } },
};

/** What all recipes about searching measure. */
export const searchMetrics = {
  accuracy: { about: "held-out accuracy", better: "higher", worst: 0, best: 1 },
  calls: { about: "searches in a conversation", better: "lower", worst: 5, best: 0 },
} as const;
