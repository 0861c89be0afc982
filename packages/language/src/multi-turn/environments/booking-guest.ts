import type { Generator } from "@reins/core/random";
import { between, many, some, until } from "../../tasks/random.ts";

/** Days by their first letter. */
export const days = "MTWF";
const names = "abcdef";

/**
 * Number of tables; whether both day and number may be omitted; whether the day may be full; whether the guest
 * changes their mind while answering, and after the booking.
 */
export const levels = [
  { tables: 3, both: false, full: false, while: false, after: false },
  { tables: 4, both: true, full: false, while: false, after: false },
  { tables: 4, both: true, full: true, while: false, after: false },
  { tables: 4, both: true, full: false, while: true, after: false },
  { tables: 5, both: true, full: true, while: true, after: true },
];

/** A guest's request. */
export interface TableRequest {
  readonly day: string;
  readonly people: number;
}

/** A guest and the tables. */
export interface Evening {
  /** The guest's initial request, and which part of it the opening message contains. */
  readonly first: TableRequest;
  readonly told: { readonly day: boolean; readonly people: boolean };
  /** A change that comes with the answer to a question, and one that comes after the booking. */
  readonly while?: Partial<TableRequest>;
  readonly after?: Partial<TableRequest>;
  /** The day that the guest accepts where the requested one is full. */
  readonly other: string;
  /** Seats of each table, and the free tables of each day. */
  readonly seats: { readonly [table: string]: number };
  readonly free: { readonly [day: string]: string };
}

/** State of the conversation and the bookings. */
export interface Desk extends Omit<Evening, "while" | "after" | "free"> {
  request: TableRequest;
  /** Which parts of the request the guest has mentioned. */
  known: { day: boolean; people: boolean };
  while?: Partial<TableRequest>;
  after?: Partial<TableRequest>;
  free: { [day: string]: string };
  /** Days looked up. */
  readonly seen: string[];
  /** Tables with their days: `cM`. */
  booked: string[];
}

/** The smallest sufficient tables among those that are free or were booked here. */
export function fitting({
  request,
  seats,
  free,
  booked,
}: Pick<Desk, "request" | "seats" | "free" | "booked">): string[] {
  const own = booked.filter((b) => b[1] === request.day).map((b) => b[0]);
  const big = [...free[request.day], ...own].filter((t) => seats[t] >= request.people);
  const least = Math.min(...big.map((t) => seats[t]));
  return big.filter((t) => seats[t] === least).map((t) => t + request.day);
}

/** A guest whose request can be met, whatever they change. */
export function makeEvening(random: Generator, level: number): Evening {
  const { tables, both, full, ...may } = levels[level - 1];
  const used = names.slice(0, tables);
  const sizes = some(random, tables, [2, 3, 4, 5, 6, 7]);
  const seats = Object.fromEntries([...used].map((t, i) => [t, sizes[i]]));
  const top = Math.max(...sizes);
  const [day, other, third, fourth] = some(random, 4, days);
  const told = random.choice([
    { day: true, people: false },
    { day: false, people: true },
    ...(both ? [{ day: false, people: false }] : []),
  ]);
  const [number, another] = some(
    random,
    2,
    many(top, (i) => i + 1),
  );
  const first = { day, people: number };
  const most = (ts: string) => Math.max(...[...ts].map((t) => seats[t]));
  const someFree = () =>
    some(random, between(random, 2, tables), used)
      .sort()
      .join("");
  const free = Object.fromEntries(
    // A guest who changes the number of people may need the largest table.
    [...days].map((d) => [
      d,
      until(someFree, (ts) => (may.after ? most(ts) === top : most(ts) >= first.people)),
    ]),
  );
  if (full && random.chance(0.5)) free[day] = [...free[day]].filter((t) => seats[t] < first.people).join("");
  const change = (): Partial<TableRequest> => (random.chance(0.5) ? { people: another } : { day: fourth });
  return {
    first,
    told,
    other,
    seats,
    free,
    ...(may.while && random.chance(0.7) ? { while: { day: third } } : {}),
    ...(may.after && random.chance(0.7) ? { after: change() } : {}),
  };
}

const said = ({ day, people }: Partial<TableRequest>) => day ?? String(people);

/** The guest's reply to a turn without a tool call; undefined where they leave content. */
export function reply(desk: Desk, text: string): string | undefined {
  const { known } = desk;
  if (text === "ok") {
    if (!desk.after) return undefined;
    const { after } = desk;
    desk.request = { ...desk.request, ...after };
    desk.after = undefined;
    return `no ${said(after)}`;
  }
  if (text === "full") {
    if (fitting(desk).length) return "no";
    desk.request = { ...desk.request, day: desk.other };
    known.day = true;
    return desk.other;
  }
  const asked = text === "day?" ? "day" : text === "n?" ? "people" : undefined;
  if (!asked) return "?";
  const answer = String(desk.request[asked]);
  known[asked] = true;
  if (!desk.while) return answer;
  const changed = desk.while;
  desk.request = { ...desk.request, ...changed };
  desk.while = undefined;
  known.day = true;
  // A guest who is asked for the day has not named another one before.
  return asked === "day" ? said(changed) : `${answer} ${said(changed)}`;
}

/** Identity of a problem: evenings that differ elsewhere are the same to the model. */
export function keyOf(evening: Evening): string {
  const { first, told, other, seats, free } = evening;
  const full = fitting({ request: first, seats, free, booked: [] }).length === 0;
  const asked = [first.day, evening.while?.day, evening.after?.day, full ? other : undefined];
  const listed = asked.map((day) => day && [day, [...free[day]].map((t) => t + seats[t])]);
  return JSON.stringify([first, told, evening.while, evening.after, listed]);
}
