import { describe, expect, it } from "vitest";
import { episodeOf } from "../../tasks/episode.ts";
import { codeRepair } from "./code-repair.ts";
import { checkMultiTurnTask, scoreOf } from "./testing.ts";
import { saying } from "./testing-conversations.ts";

const tests = [
  [3, 6],
  [0, 0],
  [1, 2],
  [2, 4],
] as const;
const problem = {
  prompt: "x+2",
  answer: "x*2",
  data: { form: "xoc", broken: "x+2", tests },
  level: 1,
};

describe("code-repair", () => {
  it("meets the requirements of every environment", () => checkMultiTurnTask(codeRepair, { most: 0.5 }));

  it("replies with the first failed test", async () => {
    const { heard, verdict } = await saying(codeRepair, problem, ["x-2", "x+3", "x*2"]);
    expect(heard).toEqual(["3:6", "0:0"]);
    expect(verdict.score).toBe(1);
  });

  it("accepts any expression that passes all tests", async () => {
    for (const text of ["x*2", "x+x", "(x)*2", " 2*x\n"])
      expect((await saying(codeRepair, problem, [text])).verdict.score, text).toBe(1);
  });

  it("ends after the last attempt", async () => {
    const { heard, truncated, verdict } = await saying(codeRepair, problem, [
      "",
      "x)=>(x*2",
      "9**9**9**9",
      "x*2",
    ]);
    expect(heard).toEqual(["!", "!"]);
    expect(truncated).toBe(false);
    expect(verdict.score).toBe(0);
    const long = await saying(codeRepair, problem, ["x*2-x+x+x-x", "x*2-x+x+x-x+0"]);
    expect(long.verdict.score).toBe(1);
    const longer = await saying(codeRepair, problem, ["x*2-x+x+x-x+0", "x*2"]);
    expect(longer.heard).toEqual(["!"]);
  });

  it("breaks expressions in one place", () => {
    const talk = { state: undefined as never, messages: [], turns: 0 };
    const tried = [0, 1, 2, 3, 4, 5, 6].map((turns) =>
      episodeOf(codeRepair).players.fixed(problem, { ...talk, turns }, undefined as never),
    );
    expect(tried).toEqual(["x-2", "x*2", "x+1", "x+3", "x+4", "x+5", "x+6"]);
  });

  it("is not fixed without reading the failures", async () => {
    for (let level = 1; level <= codeRepair.levels; level++)
      expect(await scoreOf(codeRepair, "fixed", level)).toBeLessThan(0.6);
  });
});
