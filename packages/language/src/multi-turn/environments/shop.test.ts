import { describe, expect, it } from "vitest";
import { shop } from "./shop.ts";
import { checkMultiTurnTask, scoreOf } from "./testing.ts";
import { talkOf } from "./testing-conversations.ts";

const shelf = [
  { id: "h", kind: "cup", colour: "R", price: 8 },
  { id: "j", kind: "cup", colour: "R", part: "bag", price: 2 },
  { id: "k", kind: "cup", colour: "B", price: 3 },
  { id: "q", kind: "cup", colour: "R", price: 4 },
  { id: "s", kind: "pin", colour: "R", price: 1 },
  { id: "t", kind: "cup", colour: "R", price: 3, gone: true },
];
const below = { kind: "cup", colour: "R", below: 6, shelf };
const cheapest = { kind: "cup", colour: "R", shelf };

describe("shop", () => {
  it("meets the requirements of every environment", () => checkMultiTurnTask(shop, { most: 0.4 }));

  it("lists, prices and sells", async () => {
    const turns = ["find(cup)", "price(h)", "price(q)", "buy(q)", "."];
    expect(await talkOf(shop, below, turns)).toEqual({
      answers: ["hR jR+bag kB qR tR", "8", "4", "ok"],
      score: 1,
    });
  });

  it("reports sold-out items, and the cheapest is the cheapest of the rest", async () => {
    const turns = ["buy(t)", "buy(q)", "."];
    expect(await talkOf(shop, cheapest, turns)).toEqual({ answers: ["gone", "ok"], score: 1 });
  });

  it.each(["h", "j", "k", "s"])("scores 0 for %s", async (id) => {
    expect(await talkOf(shop, below, [`buy(${id})`, "buy(q)", "."])).toEqual({
      answers: ["ok", "no"],
      score: 0,
    });
  });

  it("rejects unknown items", async () => {
    const turns = ["find(R)", "price(zz)", "buy()", "."];
    expect(await talkOf(shop, below, turns)).toEqual({ answers: ["-", "-", "-"], score: 0 });
  });

  it("is not won by buying the first plausible item", async () => {
    expect(await scoreOf(shop, "fixed", 1)).toBeLessThan(0.7);
    expect(await scoreOf(shop, "fixed", 5)).toBeLessThan(0.5);
    expect(await scoreOf(shop, "novice", 1)).toBeLessThan(1);
  });
});
