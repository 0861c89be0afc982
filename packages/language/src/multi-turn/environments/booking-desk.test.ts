import { describe, expect, it } from "vitest";
import { bookingDesk } from "./booking-desk.ts";
import { checkMultiTurnTask, scoreOf } from "./testing.ts";
import { talkOf } from "./testing-conversations.ts";

const evening = {
  first: { day: "M", people: 3 },
  told: { day: true, people: false },
  other: "W",
  seats: { a: 2, b: 6, c: 4 },
  free: { M: "abc", T: "ab", W: "b", F: "" },
};

describe("bookingDesk", () => {
  it("meets the requirements of every environment", () => checkMultiTurnTask(bookingDesk, { most: 0.2 }));

  it("answers questions, lists free tables, and keeps the booking", async () => {
    const turns = ["n?", "free(M)", "book(cM)", "ok"];
    expect(await talkOf(bookingDesk, evening, turns)).toEqual({ answers: ["3", "a2 b6 c4", "ok"], score: 1 });
  });

  it.each([
    ["aM", 0],
    ["bM", 0.5],
    ["cM", 1],
    ["bT", 0],
  ])("pays for %s what the guest thinks of it: %s", async (place, score) => {
    expect(await talkOf(bookingDesk, evening, [`book(${place})`, "ok"])).toEqual({ answers: ["ok"], score });
  });

  it("has a guest who names another day when it is full, and objects when it is not", async () => {
    const turns = ["full", "book(bM)", "cancel(bM)"];
    expect((await talkOf(bookingDesk, evening, turns)).answers).toEqual(["no", "ok", "ok"]);
    const full = { ...evening, free: { ...evening.free, M: "a" } };
    expect(await talkOf(bookingDesk, full, ["free(M)", "full", "book(bW)", "ok"])).toEqual({
      answers: ["a2", "W", "ok"],
      score: 1,
    });
  });

  it("has a guest who changes their mind while answering and after the booking", async () => {
    const unsure = { ...evening, while: { day: "T" }, after: { people: 2 } };
    const turns = ["n?", "book(bT)", "ok", "cancel(bT)", "book(aT)", "ok"];
    expect(await talkOf(bookingDesk, unsure, turns)).toEqual({
      answers: ["3 T", "ok", "no 2", "ok", "ok"],
      score: 1,
    });
    expect((await talkOf(bookingDesk, unsure, ["n?", "book(bT)"])).score).toBe(0);
    expect((await talkOf(bookingDesk, unsure, turns.slice(0, 3))).score).toBe(0.5);
    expect((await talkOf(bookingDesk, unsure, ["n?", "book(bT)", "ok", "book(aT)", "ok"])).score).toBe(0);
  });

  it("rejects taken or unknown tables", async () => {
    const turns = ["book(cM)", "book(cM)", "book(cT)", "cancel(aM)", "book()", "free(MT)", "free(F)", "eh"];
    expect((await talkOf(bookingDesk, evening, turns)).answers).toEqual([
      "ok",
      "no",
      "no",
      "no",
      "no",
      "?",
      "0",
      "?",
    ]);
  });

  it("is not won without a lookup", async () => {
    expect(await scoreOf(bookingDesk, "fixed", 1)).toBeLessThan(0.5);
    expect(await scoreOf(bookingDesk, "fixed", 5)).toBeLessThan(0.4);
  });
});
