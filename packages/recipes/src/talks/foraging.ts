import { lookups } from "./lookups.ts";

/** What answers begin with where searches are long: a model can be made to answer. */
export const foragingMark = ":";

/**
 * The task that recipes about long searches share: the model has imitated questions of one and two steps with a teacher who often guesses, and is
 * reinforced on questions of three, of which nothing is known by heart.
 */
export const foraging = {
  family: lookups({ id: "ways by habit", hasty: 0.4, mark: foragingMark }),
  levels: [2, 4],
  played: [5],
  model: { layers: 1, width: 32, imitation: 90_000 },
  options: { groups: 8, plays: 8, epochs: 1, clipNorm: 1 },
  score: { problems: 100, looks: 2 },
  quick: { levels: [2], model: { imitation: 30_000 } },
};
