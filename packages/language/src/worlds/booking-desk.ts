import type { Generator } from "@reins/core";
import { family, type ScriptedPlayer } from "../tasks/family.ts";
import { between, letters, many, some, until } from "../tasks/random.ts";
import { withSlips, wordTool } from "./world-parts.ts";

const days = "MTWF";
const names = "abcdef";

/**
 * How many tables there are; whether both the day and the number may be left out; whether the day may be full; whether the guest thinks again
 * while answering, and after the booking.
 */
const levels = [
  { tables: 3, both: false, full: false, while: false, after: false },
  { tables: 4, both: true, full: false, while: false, after: false },
  { tables: 4, both: true, full: true, while: false, after: false },
  { tables: 4, both: true, full: false, while: true, after: false },
  { tables: 5, both: true, full: true, while: true, after: true },
];

interface Wish {
  readonly day: string;
  readonly people: number;
}

interface Evening {
  /** What the guest wants at first, and which part of it the opening words tell. */
  readonly first: Wish;
  readonly told: { readonly day: boolean; readonly people: boolean };
  /** A change that comes with the answer to a question, and one that comes after the booking. */
  readonly while?: Partial<Wish>;
  readonly after?: Partial<Wish>;
  /** The day that the guest takes where the wanted one is full. */
  readonly other: string;
  /** Seats of each table, and the tables that are free on each day. */
  readonly seats: { readonly [table: string]: number };
  readonly free: { readonly [day: string]: string };
}

interface Desk extends Omit<Evening, "while" | "after" | "free"> {
  wish: Wish;
  /** What the guest has said of it so far. */
  known: { day: boolean; people: boolean };
  while?: Partial<Wish>;
  after?: Partial<Wish>;
  free: { [day: string]: string };
  /** Days that were looked up. */
  readonly seen: string[];
  /** Tables with their days: `cM`. */
  booked: string[];
}

/** The smallest tables that are big enough and free, of all that are free or were booked here. */
function fitting({ wish, seats, free, booked }: Pick<Desk, "wish" | "seats" | "free" | "booked">): string[] {
  const own = booked.filter((b) => b[1] === wish.day).map((b) => b[0]);
  const big = [...free[wish.day], ...own].filter((t) => seats[t] >= wish.people);
  const least = Math.min(...big.map((t) => seats[t]));
  return big.filter((t) => seats[t] === least).map((t) => t + wish.day);
}

function makeEvening(random: Generator, level: number): Evening {
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
    // Who changes the number of people may need the largest table.
    [...days].map((d) => [
      d,
      until(someFree, (ts) => (may.after ? most(ts) === top : most(ts) >= first.people)),
    ]),
  );
  if (full && random.chance(0.5)) free[day] = [...free[day]].filter((t) => seats[t] < first.people).join("");
  const change = (): Partial<Wish> => (random.chance(0.5) ? { people: another } : { day: fourth });
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

const said = ({ day, people }: Partial<Wish>) => day ?? String(people);

/** What the guest says to a turn of the desk's that calls no tool; nothing where they leave content. */
function reply(desk: Desk, text: string): string | undefined {
  const { known } = desk;
  if (text === "ok") {
    if (!desk.after) return undefined;
    const { after } = desk;
    desk.wish = { ...desk.wish, ...after };
    desk.after = undefined;
    return `no ${said(after)}`;
  }
  if (text === "full") {
    if (fitting(desk).length) return "no";
    desk.wish = { ...desk.wish, day: desk.other };
    known.day = true;
    return desk.other;
  }
  const asked = { "day?": "day", "n?": "people" }[text] as "day" | "people" | undefined;
  if (!asked) return "?";
  const answer = String(desk.wish[asked]);
  known[asked] = true;
  if (!desk.while) return answer;
  const changed = desk.while;
  desk.wish = { ...desk.wish, ...changed };
  desk.while = undefined;
  known.day = true;
  // Who is asked for the day has not said another one before.
  return asked === "day" ? said(changed) : `${answer} ${said(changed)}`;
}

const expert: ScriptedPlayer<Evening, Desk> = (_, { state }) => {
  const { known, wish, seen, booked } = state;
  if (!known.people) return "n?";
  if (!known.day) return "day?";
  const right = fitting(state);
  const wrong = booked.find((b) => !right.includes(b)) ?? booked[1];
  if (wrong) return `cancel(${wrong})`;
  if (booked.length) return "ok";
  if (!seen.includes(wish.day)) return `free(${wish.day})`;
  return right.length ? `book(${right[0]})` : "full";
};

const anyMove: ScriptedPlayer<Evening, Desk> = ({ data }, _, random) => {
  const place = random.choice(Object.keys(data.seats)) + letters(random, 1, days);
  const calls = [`free(${place[1]})`, `book(${place})`, `cancel(${place})`];
  return random.choice([...calls, "day?", "n?", "full", "ok"]);
};

/**
 * A booking desk. A guest asks for a table with few words (`on M` leaves out for how many, `for 3` the day) and answers `day?` and `n?`. The
 * tool `free(M)` lists the tables that are free on a day with their seats, `book(cM)` takes table c for that day, `cancel(cM)` gives it back.
 * `full` tells the guest that there is none, and they name another day; `ok` ends, unless the guest thinks again: `no T`, `no 5`.
 */
export const bookingDesk = family<Evening, Desk>({
  id: "booking-desk",
  about: "Ask a guest for the day and the number of people, look up what is free, and book a table.",
  levels: levels.length,
  alphabet: "abcdefghijklmnoprtuy()? MTWF0123456789",
  longest: { prompt: 6, answer: 10, talk: 200 },
  turns: 14,
  make(random, level) {
    const data = makeEvening(random, level);
    const { first, told } = data;
    const prompt = told.day ? `on ${first.day}` : told.people ? `for ${first.people}` : "table";
    return { prompt, key: JSON.stringify(data), answer: "ok", data };
  },
  begin: ({ data }) => ({
    ...data,
    free: { ...data.free },
    wish: data.first,
    known: { ...data.told },
    seen: [],
    booked: [],
  }),
  tools: [
    wordTool<Desk>("free", "Tables that are free on a day, with their seats.", "day", (day, desk) => {
      const free = days.includes(day) ? desk.free[day] : undefined;
      if (free === undefined) return "?";
      desk.seen.push(day);
      return [...free].map((t) => t + desk.seats[t]).join(" ") || "0";
    }),
    wordTool<Desk>("book", "Books a table for a day.", "place", (place, desk) => {
      const [table, day] = place;
      if (place.length !== 2 || !desk.free[day]?.includes(table)) return "no";
      desk.free[day] = desk.free[day].replace(table, "");
      desk.booked.push(place);
      return "ok";
    }),
    wordTool<Desk>("cancel", "Gives a booked table back.", "place", (place, desk) => {
      if (!desk.booked.includes(place)) return "no";
      desk.booked = desk.booked.filter((b) => b !== place);
      desk.free[place[1]] = [...desk.free[place[1]], place[0]].sort().join("");
      return "ok";
    }),
  ],
  turn(desk, { content }) {
    const say = reply(desk, content);
    return say === undefined ? { done: true } : { say };
  },
  verify(_, __, talk) {
    const desk = talk?.state;
    if (desk?.booked.length !== 1) return { score: 0, why: "there is not one booking" };
    // A guest who would have thought again has not been asked whether all is well.
    if (desk.after) return { score: 0, why: "the guest was not told" };
    const [table, day] = desk.booked[0];
    if (day !== desk.wish.day) return { score: 0, why: "it is booked for another day" };
    if (desk.seats[table] < desk.wish.people) return { score: 0, why: "the table is too small" };
    return fitting(desk).includes(desk.booked[0])
      ? { score: 1 }
      : { score: 0.5, why: "a smaller table would have done" };
  },
  players: {
    expert,
    random: anyMove,
    // Asks for both, and books the first table without a look.
    fixed: (_, { state: { wish, seats }, turns }) =>
      ["day?", "n?", `book(${Object.keys(seats)[0]}${wish.day})`][turns] ?? "ok",
    novice: withSlips(expert, anyMove),
  },
});
