import type { LevelGenerator } from "../level.ts";
import { empty, goal, green, grey, wall } from "../symbols.ts";

/** Four rooms, each open to its neighbours by a gap; agent and goal are at random places. */
export const fourRooms: LevelGenerator = (level, random) => {
  const { width, height } = level;
  level.clear();
  level.frame(0, 0, width, height);
  const [wide, tall] = [Math.floor(width / 2), Math.floor(height / 2)];
  for (let j = 0; j < 2; j++)
    for (let i = 0; i < 2; i++) {
      const [left, top] = [i * wide, j * tall];
      if (i === 0) {
        for (let y = 0; y < tall; y++) level.set(wide, top + y, wall, grey);
        level.set(wide, random.integers(top + 1, top + tall), empty);
      }
      if (j === 0) {
        for (let x = 0; x < wide; x++) level.set(left + x, tall, wall, grey);
        level.set(random.integers(left + 1, left + wide), tall, empty);
      }
    }
  level.placeAgent(random);
  level.fill(level.freeCell(random), goal, green, 0);
};
