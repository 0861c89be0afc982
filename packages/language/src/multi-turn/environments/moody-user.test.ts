import { describe, expect, it } from "vitest";
import { sampleProblem } from "../../tasks/sample-problem.ts";
import { moodyUser } from "./moody-user.ts";
import { checkMultiTurnTask, scoreOf } from "./testing.ts";
import { talkOf } from "./testing-conversations.ts";

const user = {
  things: ["wetS", "wetL", "icyS"],
  wanted: "wetL",
  patience: 3,
  soothed: 2,
  sized: true,
  places: false,
};

describe("moodyUser", () => {
  it("meets the requirements of every environment", () => checkMultiTurnTask(moodyUser, { most: 0.45 }));

  it("has a user who answers while calm, and again after an apology", async () => {
    const turns = ["why?", "sorry", "size?", "2"];
    expect(await talkOf(moodyUser, user, turns)).toEqual({ answers: ["wet!", "ok.", "L."], score: 1 });
  });

  it("has a user who reveals nothing while annoyed, and then leaves", async () => {
    const turns = ["why?", "size?", "size?", "2"];
    expect(await talkOf(moodyUser, user, turns)).toEqual({ answers: ["wet!", "no!"], score: 0 });
  });

  it("punishes an apology without a reason", async () => {
    expect((await talkOf(moodyUser, user, ["sorry", "why?"])).answers).toEqual(["eh!", "no!"]);
  });

  it("needs two apologies where a user is proud", async () => {
    const proud = { ...user, patience: 1, soothed: 1 };
    const turns = ["sorry", "sorry", "why?"];
    expect((await talkOf(moodyUser, proud, turns)).answers).toEqual(["ok!", "ok.", "wet!"]);
  });

  it("loses a user after one wrong offer or rude word, and a patient one after two", async () => {
    for (const wrong of ["1", "9", "", "02"]) {
      expect(await talkOf(moodyUser, user, [wrong, "2"])).toEqual({ answers: [], score: 0 });
      const { answers, score } = await talkOf(moodyUser, { ...user, patience: 5 }, [wrong, wrong, "2"]);
      expect(answers).toEqual([/^\d$/.test(wrong) ? "no!" : "eh!"]);
      expect(score).toBe(0);
    }
  });

  it("has users who name a place instead of a need", async () => {
    const away = { ...user, places: true };
    expect((await talkOf(moodyUser, away, ["why?"])).answers).toEqual(["rain!"]);
    expect([1, 2, 3].map((level) => sampleProblem(moodyUser, level, "train", 0).data)).toMatchObject([
      { places: false, sized: false },
      { places: false, sized: true },
      { places: true, sized: true },
    ]);
  });

  it("is not won by ignoring the tone", async () => {
    expect(await scoreOf(moodyUser, "fixed", 1)).toBeLessThan(0.75);
    expect(await scoreOf(moodyUser, "fixed", 4)).toBeLessThan(0.6);
  });
});
