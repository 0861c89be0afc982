import { letters } from "../../tasks/random.ts";
import { type ScriptedPlayer, textTask } from "../../tasks/text-task.ts";
import {
  type Desk,
  days,
  type Evening,
  fitting,
  keyOf,
  levels,
  makeEvening,
  reply,
} from "./booking-guest.ts";
import { novice } from "./novice.ts";
import { wordTool } from "./word-tool.ts";

const expert: ScriptedPlayer<Evening, Desk> = (_, { state }) => {
  const { known, request, seen, booked } = state;
  if (!known.people) return "n?";
  if (!known.day) return "day?";
  const right = fitting(state);
  const wrong = booked.find((b) => !right.includes(b)) ?? booked[1];
  if (wrong) return `cancel(${wrong})`;
  if (booked.length) return "ok";
  if (!seen.includes(request.day)) return `free(${request.day})`;
  return right.length ? `book(${right[0]})` : "full";
};

const anyMove: ScriptedPlayer<Evening, Desk> = ({ data }, _, random) => {
  const place = random.choice(Object.keys(data.seats)) + letters(random, 1, days);
  const calls = [`free(${place[1]})`, `book(${place})`, `cancel(${place})`];
  return random.choice([...calls, "day?", "n?", "full", "ok"]);
};

/**
 * A booking desk. A guest requests a table in few words (`on M` omits the number of people, `for 3` the day) and
 * answers `day?` and `n?`. The tool `free(M)` lists the free tables of a day with their seats, `book(cM)` books table
 * c for that day, `cancel(cM)` cancels it. `full` tells the guest that there is none, and they name another day; `ok`
 * ends, unless the guest changes their mind: `no T`, `no 5`.
 */
export const bookingDesk = textTask<Evening, Desk>({
  id: "booking-desk",
  about: "Ask a guest for the day and the number of people, look up what is free, and book a table.",
  levels: levels.length,
  alphabet: "abcdefghijklmnoprtuy()? MTWF0123456789",
  longest: { prompt: 6, answer: 10, conversation: 200 },
  make(random, level) {
    const data = makeEvening(random, level);
    const { first, told } = data;
    const prompt = told.day ? `on ${first.day}` : told.people ? `for ${first.people}` : "table";
    return { prompt, key: keyOf(data), answer: "ok", data };
  },
  verify(_, __, conversation) {
    const desk = conversation?.state;
    if (desk?.booked.length !== 1) return { score: 0, why: "there must be exactly one booking" };
    // A guest with a pending change was not asked for confirmation.
    if (desk.after) return { score: 0, why: "the guest was not asked to confirm" };
    const [table, day] = desk.booked[0];
    if (day !== desk.request.day) return { score: 0, why: "it is booked for another day" };
    if (desk.seats[table] < desk.request.people) return { score: 0, why: "the table is too small" };
    return fitting(desk).includes(desk.booked[0])
      ? { score: 1 }
      : { score: 0.5, why: "a smaller table would have done" };
  },
  episode: {
    turns: 14,
    begin: ({ data }) => ({
      ...data,
      free: { ...data.free },
      request: data.first,
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
    players: {
      expert,
      random: anyMove,
      // Asks for both, and books the first table without a lookup.
      fixed: (_, { state: { request, seats }, turns }) =>
        ["day?", "n?", `book(${Object.keys(seats)[0]}${request.day})`][turns] ?? "ok",
      novice: novice(expert, anyMove, 0.2),
      /** Usually ends at once, and seldom plays as the expert. */
      beginner: novice<Evening, Desk>(expert, () => "ok", 0.55),
    },
  },
});
