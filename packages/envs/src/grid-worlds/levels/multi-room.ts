import type { Generator } from "@reins/core/random";
import type { Level, LevelGenerator } from "../level.ts";
import { closed, colors, door, drawnColors, goal, green } from "../symbols.ts";

/** Of each room: left, top, width, height, and column and row of its entrance door. */
const facts = 6;
const smallest = 4;

/** Rooms in a row, each behind a closed door of the one before; the goal is in the last. */
export function multiRoom(least: number, most: number, largest: number): LevelGenerator {
  const rooms = new Int32Array(most * facts);
  return (level, random) => {
    const wanted = random.integers(least, most + 1);
    let count = 0;
    while (count < wanted) {
      const x = random.integers(0, level.width - 2);
      const y = random.integers(0, level.width - 2);
      count = addRoom(level, random, rooms, 0, wanted, largest, 2, x, y);
    }
    level.clear();
    draw(level, random, rooms, count);
  };
}

/**
 * Tries to add a room with its door at a cell of one of its walls (0 right, 1 below, 2 left, 3 above), and others
 * behind it; returns the number of rooms.
 */
function addRoom(
  level: Level,
  random: Generator,
  rooms: Int32Array,
  count: number,
  wanted: number,
  largest: number,
  entry: number,
  doorX: number,
  doorY: number,
): number {
  const width = random.integers(smallest, largest + 1);
  const height = random.integers(smallest, largest + 1);
  let [left, top] = [doorX, doorY];
  if (count > 0) {
    if (entry % 2 === 0) top = random.integers(doorY - height + 2, doorY);
    else left = random.integers(doorX - width + 2, doorX);
    if (entry === 0) left = doorX - width + 1;
    if (entry === 1) top = doorY - height + 1;
  }
  if (left < 0 || top < 0 || left + width > level.width || top + height >= level.height) return count;
  // The last one is the neighbour, whose wall it shares.
  for (let i = 0; i < (count - 1) * facts; i += facts) {
    const apart =
      left + width < rooms[i] ||
      rooms[i] + rooms[i + 2] <= left ||
      top + height < rooms[i + 1] ||
      rooms[i + 1] + rooms[i + 3] <= top;
    if (!apart) return count;
  }
  let i = count * facts;
  rooms[i++] = left;
  rooms[i++] = top;
  rooms[i++] = width;
  rooms[i++] = height;
  rooms[i++] = doorX;
  rooms[i++] = doorY;
  const placed = count + 1;
  if (placed === wanted) return placed;
  for (let tries = 0; tries < 8; tries++) {
    // One of the three walls without a door.
    const nth = random.integers(0, 3);
    const exit = nth < entry ? nth : nth + 1;
    const along = random.integers(1, (exit % 2 === 0 ? height : width) - 1);
    const x = exit === 0 ? left + width - 1 : exit === 2 ? left : left + along;
    const y = exit === 1 ? top + height - 1 : exit === 3 ? top : top + along;
    const total = addRoom(level, random, rooms, placed, wanted, largest, (exit + 2) % 4, x, y);
    if (total > placed) return total;
  }
  return placed;
}

function draw(level: Level, random: Generator, rooms: Int32Array, count: number): void {
  let before = -1;
  for (let room = 0; room < count; room++) {
    const i = room * facts;
    level.frame(rooms[i], rooms[i + 1], rooms[i + 2], rooms[i + 3]);
    if (room === 0) continue;
    // A color other than the previous door's.
    const nth = random.integers(0, before < 0 ? colors : colors - 1);
    before = before < 0 || nth < before ? nth : nth + 1;
    level.set(rooms[i + 4], rooms[i + 5], door, drawnColors[before], closed);
  }
  level.placeAgent(random, rooms[0], rooms[1], rooms[2], rooms[3]);
  const last = (count - 1) * facts;
  level.fill(
    level.freeCell(random, rooms[last], rooms[last + 1], rooms[last + 2], rooms[last + 3]),
    goal,
    green,
    0,
  );
}
