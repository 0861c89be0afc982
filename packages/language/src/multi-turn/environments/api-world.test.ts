import { describe, expect, it } from "vitest";
import { apiWorld } from "./api-world.ts";
import { checkMultiTurnTask, scoreOf } from "./testing.ts";
import { talkOf } from "./testing-conversations.ts";

const service = {
  records: { a: "3", b: "1" },
  docs: { set: "vQk", add: "kvP", del: "Rk", mv: "mSk", get: "kP" },
  pass: "4",
  tasks: [
    { name: "set", k: "a", v: "5" },
    { name: "mv", k: "b", m: "d" },
  ],
};

describe("apiWorld", () => {
  it("meets the requirements of every environment", () => checkMultiTurnTask(apiWorld, { most: 0.3 }));

  it("documents calls, and executes them", async () => {
    const turns = ["docs(set)", "call(set,5Qa)", "docs(mv)", "call(mv,dSb)", "."];
    expect(await talkOf(apiWorld, service, turns)).toEqual({ answers: ["vQk", "ok", "mSk", "ok"], score: 1 });
    expect((await talkOf(apiWorld, service, ["call(set,5Qa)", "."])).score).toBe(0.5);
    expect((await talkOf(apiWorld, service, ["call(set,5Qa)", "call(del,Rb)", "."])).score).toBe(0);
  });

  it("names the first argument that is missing or wrong", async () => {
    const turns = [
      "call(set,a)",
      "call(set,5)",
      "call(set,5Pa)",
      "call(set,5Q)",
      "call(set,5Qab)",
      "call(set)",
    ];
    const { answers, score } = await talkOf(apiWorld, service, turns);
    expect(answers).toEqual(["v?", "Q?", "Q?", "k?", "no", "no"]);
    expect(score).toBe(0);
  });

  it("rejects missing records and existing ones", async () => {
    const turns = [
      "call(set,5Qc)",
      "call(add,a1P)",
      "call(mv,aSb)",
      "call(get,cP)",
      "call(get,bP)",
      "call(pop,)",
    ];
    expect((await talkOf(apiWorld, service, turns)).answers).toEqual([
      "no k",
      "has k",
      "has m",
      "no k",
      "1",
      "no",
    ]);
  });

  it("requires a pass where the documentation does", async () => {
    const guarded = {
      ...service,
      docs: { ...service.docs, set: "pvQk" },
      tasks: [{ name: "set", k: "a", v: "5" }],
    };
    const turns = ["call(set,35Qa)", "call(pass,)", "call(set,45Qa)", "."];
    expect(await talkOf(apiWorld, guarded, turns)).toEqual({ answers: ["p?", "4", "ok"], score: 1 });
  });

  it("is not won without reading the documentation", async () => {
    expect(await scoreOf(apiWorld, "fixed", 1)).toBeLessThan(0.2);
    expect(await scoreOf(apiWorld, "fixed", 3)).toBeLessThan(0.2);
    expect(await scoreOf(apiWorld, "fixed", 5)).toBe(0);
  });
});
