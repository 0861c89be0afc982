import type { LevelGenerator } from "../level.ts";
import { ball, closed, colors, drawnColors, empty, key, locked, stepX, stepY, wall } from "../symbols.ts";
import { RoomGrid } from "./room-grid.ts";

const [right, , left, up] = [0, 1, 2, 3];

/**
 * Three columns of rooms, the middle one a corridor. A ball lies in a room on the right behind a locked door, its
 * key in one on the left; all other rooms are reachable by unlocked doors.
 */
export function keyCorridor(lines: number, size: number): LevelGenerator {
  const rooms = new RoomGrid(3, lines, size);
  return (level, random) => {
    level.clear();
    rooms.draw(level, random);
    // Other objects keep a distance from the middle, where the agent would stand.
    level.x = rooms.step + Math.floor(size / 2);
    level.y = Math.floor(lines / 2) * rooms.step + Math.floor(size / 2);
    for (let line = 1; line < lines; line++) rooms.openWall(level, 1, line, up);

    const line = random.integers(0, lines);
    const color = drawnColors[random.integers(0, colors)];
    rooms.addDoor(level, 2, line, left, color, locked);
    const ballColor = drawnColors[random.integers(0, colors)];
    level.targetCell = rooms.place(level, random, 2, line, ball, ballColor);
    level.targetKind = ball;
    level.targetColor = ballColor;
    rooms.place(level, random, 0, random.integers(0, lines), key, color);

    do {
      rooms.placeAgent(level, random, 1, Math.floor(lines / 2));
    } while (isBlocked(level.kindAt(level.x + stepX[level.direction], level.y + stepY[level.direction])));

    while (!rooms.isConnected(1, Math.floor(lines / 2))) {
      const column = random.integers(0, 3);
      const row = random.integers(0, lines);
      const side = random.integers(right, up + 1);
      if (!rooms.mayConnect(column, row, side)) continue;
      rooms.addDoor(level, column, row, side, drawnColors[random.integers(0, colors)], closed);
    }
  };
}

/** The agent does not start directly in front of an object or a door. */
const isBlocked = (kind: number) => kind !== empty && kind !== wall;
