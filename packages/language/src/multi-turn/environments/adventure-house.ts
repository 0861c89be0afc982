import { back, beside, type Grid, isWay, type Way, walk } from "./compass.ts";

/** Rooms are cells of this grid. */
export const floor: Grid = { width: 3, height: 3 };

/** A house: its rooms, doors, keys and gold. */
export interface House {
  /** The names of the rooms; a space where there is no room. */
  readonly names: string;
  /** The exits of each room, including doors. */
  readonly ways: readonly string[];
  readonly doors: readonly { readonly room: number; readonly way: Way }[];
  /** Rooms of the doors' keys. */
  readonly keys: readonly number[];
  readonly gold: number;
  readonly start: number;
  readonly most: number;
}

/** State of a visit. */
export interface Visit {
  readonly house: House;
  at: number;
  /** Keys in hand, and open doors. */
  readonly held: boolean[];
  readonly opened: boolean[];
  readonly seen: number[];
  turns: number;
  won: boolean;
}

/** The initial state of a visit. */
export const enter = (house: House): Visit => ({
  house,
  at: house.start,
  held: house.keys.map(() => false),
  opened: house.doors.map(() => false),
  seen: [house.start],
  turns: 0,
  won: false,
});

/** The number of the closed door in a direction; −1 if there is none. */
function doorIn({ house, opened }: Visit, room: number, way: Way): number {
  const beyond = beside(room, way, floor);
  return house.doors.findIndex(
    (door, i) =>
      !opened[i] &&
      ((door.room === room && door.way === way) || (door.room === beyond && door.way === back(way))),
  );
}

/** The item in a room: `k1`, `g` or nothing. */
export function thingIn({ house, held }: Visit, room: number): string {
  const key = house.keys.findIndex((at, i) => at === room && !held[i]);
  if (key >= 0) return `k${key + 1}`;
  return house.gold === room ? "g" : "";
}

/** The description of a room: its name, the exits with the numbers of closed doors, and its item: `B:ns1 k1`. */
export function describeRoom(visit: Visit, room = visit.at): string {
  const { names, ways } = visit.house;
  const out = [...ways[room]].map((way) => `${way}${doorIn(visit, room, way as Way) + 1 || ""}`);
  return `${names[room]}:${out.join("")}${` ${thingIn(visit, room)}`.trimEnd()}`;
}

/** Closed doors of a room that the keys in hand open. */
export const openable = (visit: Visit, room: number): number[] =>
  [...visit.house.ways[room]]
    .map((way) => doorIn(visit, room, way as Way))
    .filter((door) => visit.held[door]);

/** Executes a command and returns the description; undefined once the gold is taken. */
export function obey(visit: Visit, command: string): string | undefined {
  const { house, at } = visit;
  const way = command.replace(/^go /, "");
  if (isWay(way)) {
    if (!house.ways[at].includes(way)) return "no";
    if (doorIn(visit, at, way) >= 0) return "shut";
    visit.at = beside(at, way, floor)!;
    if (!visit.seen.includes(visit.at)) visit.seen.push(visit.at);
    return describeRoom(visit);
  }
  if (command === "look") return describeRoom(visit);
  if (command === "take") {
    const thing = thingIn(visit, at);
    if (thing === "g") {
      visit.won = true;
      return undefined;
    }
    if (thing) visit.held[+thing[1] - 1] = true;
    return thing ? "ok" : "no";
  }
  if (command === "open") {
    const doors = openable(visit, at);
    for (const door of doors) visit.opened[door] = true;
    return doors.length ? "ok" : "no";
  }
  return "?";
}

/** Rooms through open exits. */
export const next = (visit: Visit) => (room: number) =>
  [...visit.house.ways[room]]
    .filter((way) => doorIn(visit, room, way as Way) < 0)
    .map((way) => [way, beside(room, way as Way, floor)!] as const);

/**
 * A policy with perfect memory of the descriptions and no hidden information: take, open, go where there is something
 * to do, explore.
 */
export function wise(visit: Visit): string {
  const { at, seen } = visit;
  if (thingIn(visit, at)) return "take";
  if (openable(visit, at).length) return "open";
  const known = (room: number) => (seen.includes(room) ? next(visit)(room) : []);
  const busy = (room: number) =>
    seen.includes(room) && (thingIn(visit, room) !== "" || openable(visit, room).length > 0);
  const way = walk(at, known, busy) ?? walk(at, known, (room) => !seen.includes(room));
  return way?.[0] ?? "look";
}

/** Turns that `wise` needs; more than the limit where it fails. */
export function needed(house: House): number {
  const visit = enter(house);
  for (let turns = 1; turns <= house.most; turns++) {
    const command = wise(visit);
    if (command === "look") break;
    obey(visit, command);
    if (visit.won) return turns;
  }
  return house.most + 1;
}
