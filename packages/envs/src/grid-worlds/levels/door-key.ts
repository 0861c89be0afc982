import type { LevelGenerator } from "../level.ts";
import { door, goal, green, grey, key, locked, wall, yellow } from "../symbols.ts";

/** Two rooms with a locked door between them: the key is on the agent's side, the goal on the other. */
export const doorKey: LevelGenerator = (level, random) => {
  const { width, height } = level;
  level.clear();
  level.frame(0, 0, width, height);
  level.set(width - 2, height - 2, goal, green);
  const split = random.integers(2, width - 2);
  for (let y = 0; y < height; y++) level.set(split, y, wall, grey);
  level.placeAgent(random, 0, 0, split, height);
  level.set(split, random.integers(1, height - 2), door, yellow, locked);
  level.fill(level.freeCell(random, 0, 0, split, height), key, yellow, 0);
};
