import { describe, expect, it } from "vitest";
import { siteForms } from "./site-forms.ts";
import { checkMultiTurnTask, scoreOf } from "./testing.ts";
import { talkOf } from "./testing-conversations.ts";

const site = {
  menus: { "/": ["me", "wear"], me: ["home", "work"], wear: ["coat", "cap"] },
  saved: { cap: { n: 0, s: 0 }, coat: { s: 0, n: 0 }, home: { t: 3, z: 4 }, work: { z: 1, t: 2 } },
  tasks: [
    { form: "cap", values: { n: 2, s: 7 } },
    { form: "home", values: { z: 5 } },
  ],
};
const cap = ["click(2)", "click(2)", "fill(1,2)", "fill(2,7)", "submit()"];
const home = ["click(1)", "click(1)", "fill(2,5)", "submit()"];

describe("siteForms", () => {
  it("meets the requirements of every environment", () => checkMultiTurnTask(siteForms, { most: 0.25 }));

  it("shows menus and forms, and saves submitted values", async () => {
    expect(await talkOf(siteForms, site, [...cap, "click(0)", ...home, "."])).toEqual({
      answers: ["1coat 2cap", "1n_ 2s_", "n2", "s7", "ok", "1me 2wear", "1home 2work", "1t3 2z4", "z5", "ok"],
      score: 1,
    });
  });

  it("scores each task, and 0 where something else was changed", async () => {
    expect((await talkOf(siteForms, site, [...home, "."])).score).toBe(0.5);
    const spoilt = ["click(1)", "click(2)", "fill(1,9)", "submit()"];
    expect((await talkOf(siteForms, site, [...home, "click(0)", ...spoilt, "."])).score).toBe(0);
    const other = [...home.slice(0, 3), "fill(1,9)", "submit()"];
    expect((await talkOf(siteForms, site, [...other, "."])).score).toBe(0);
  });

  it("drops unsubmitted values, and names the empty field", async () => {
    const turns = ["click(2)", "click(2)", "fill(1,2)", "submit()", "click(0)", "click(2)", "click(2)"];
    const { answers } = await talkOf(siteForms, site, turns);
    expect(answers.slice(3)).toEqual(["no s", "1me 2wear", "1coat 2cap", "1n_ 2s_"]);
  });

  it("rejects unknown links and fields", async () => {
    const turns = [
      "click(3)",
      "fill(1,1)",
      "submit()",
      "click(2)",
      "click(1)",
      "click(1)",
      "fill(9,1)",
      "click(99999)",
    ];
    const { answers, score } = await talkOf(siteForms, site, turns);
    expect(answers.slice(0, 7)).toEqual(["no", "no", "no", "1coat 2cap", "1s_ 2n_", "no", "no"]);
    expect(answers[7]).toMatch(/^error/);
    expect(score).toBe(0);
  });

  it("is not won without reading the pages", async () => {
    expect(await scoreOf(siteForms, "fixed", 1)).toBeLessThan(0.5);
    expect(await scoreOf(siteForms, "fixed", 4)).toBeLessThan(0.1);
  });
});
