import type { LevelGenerator } from "../level.ts";
import { empty, goal, green, lava, red } from "../symbols.ts";

/** A stream of lava with one gap between the agent and the goal. */
export const lavaGap: LevelGenerator = (level, random) => {
  const { width, height } = level;
  level.clear();
  level.frame(0, 0, width, height);
  level.x = level.y = 1;
  level.set(width - 2, height - 2, goal, green);
  const x = random.integers(2, width - 2);
  const y = random.integers(1, height - 1);
  for (let line = 1; line < height - 1; line++) level.set(x, line, lava, red);
  level.set(x, y, empty);
};
