import type { LevelGenerator } from "../level.ts";
import { goal, green } from "../symbols.ts";

/** One room with a goal in the corner; the agent starts in the opposite one. */
export const emptyRoom: LevelGenerator = (level) => {
  const { width, height } = level;
  level.clear();
  level.frame(0, 0, width, height);
  level.set(width - 2, height - 2, goal, green);
  level.x = level.y = 1;
};

/** One room with a goal in the corner and a random start. */
export const emptyRoomAnywhere: LevelGenerator = (level, random) => {
  emptyRoom(level, random);
  level.placeAgent(random);
};
