import type { LevelGenerator } from "../level.ts";
import { box, colors, drawnColors, key, things } from "../symbols.ts";

/** A room with different objects, one of which is the target. */
export function goToObject(objects: number): LevelGenerator {
  // The cell of each kind of each color, or -1; in the order in which they were sampled.
  const cells = new Int32Array((box - key + 1) * colors);
  const drawn = new Int32Array(objects);
  return (level, random) => {
    level.clear();
    level.frame(0, 0, level.width, level.height);
    cells.fill(-1);
    for (let count = 0; count < objects; ) {
      const kind = things[random.integers(0, things.length)];
      const color = drawnColors[random.integers(0, colors)];
      const thing = (kind - key) * colors + color;
      if (cells[thing] >= 0) continue;
      cells[thing] = level.freeCell(random);
      level.fill(cells[thing], kind, color, 0);
      drawn[count++] = thing;
    }
    level.placeAgent(random);
    const target = drawn[random.integers(0, objects)];
    level.targetKind = key + Math.floor(target / colors);
    level.targetColor = target % colors;
    level.targetCell = cells[target];
  };
}
