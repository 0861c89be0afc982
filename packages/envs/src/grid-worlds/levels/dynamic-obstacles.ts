import type { LevelGenerator } from "../level.ts";
import { ball, blue } from "../symbols.ts";
import { emptyRoom } from "./empty.ts";

/** A room with moving balls. */
export function dynamicObstacles(obstacles: number): LevelGenerator {
  return (level, random) => {
    emptyRoom(level, random);
    for (let i = 0; i < obstacles; i++) {
      const cell = level.freeCell(random);
      level.fill(cell, ball, blue, 0);
      level.obstacles[level.obstacleCount++] = cell;
    }
  };
}
