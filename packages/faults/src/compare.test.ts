import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { differences, folderState, isLitter } from "./compare.ts";
import { tolerated } from "./damage-rules.ts";
import { scratch } from "./scratch.ts";

const folder = scratch();
afterAll(() => folder.close());

/** A folder with files like those of a run. */
function folderWith(changes: { readonly [name: string]: string } = {}): string {
  const path = folder.fresh("run");
  const files = {
    "run/config.json": '{"seed":1,"created":"2026-01-01"}',
    "run/summary.json": '{"steps":20,"seconds":1.5,"return":{"mean":3}}',
    "run/metrics.jsonl": '{"step":10,"x":1}\n{"step":20,"x":2}\n',
    "run/times.jsonl": '{"step":10,"at":5,"seconds":1}\n',
    "run/checkpoints/10/state.json": "first",
    "run/checkpoints/20/state.json": "second",
    ...changes,
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(path, name, ".."), { recursive: true });
    writeFileSync(join(path, name), text);
  }
  return path;
}
const whole = folderState(folderWith());
const changed = (changes: { readonly [name: string]: string }) =>
  differences(whole, folderState(folderWith(changes)));

describe("two folders", () => {
  it("are equal apart from wall-clock times", () => {
    expect(
      changed({
        "run/config.json": '{"seed":1,"created":"2027-01-01"}',
        "run/summary.json": '{"steps":20,"seconds":9,"return":{"mean":3}}',
        "run/times.jsonl": '{"step":10,"at":7,"seconds":3}\n',
      }),
    ).toEqual([]);
  });
  it("differ by any other byte, and by extra files", () => {
    expect(changed({ "run/summary.json": '{"steps":20,"seconds":1.5,"return":{"mean":4}}' })).toEqual([
      "run/summary.json differs",
    ]);
    expect(changed({ "run/metrics.jsonl": '{"step":10,"x":1}\n' })).toEqual(["run/metrics.jsonl differs"]);
    expect(changed({ "run/lock": "" })).toEqual(["run/lock should not be there"]);
    expect(isLitter("run/lock should not be there")).toBe(false);
    expect(isLitter("run/checkpoints/20/state.json is missing")).toBe(false);
    expect(isLitter("run/summary.json.12.part should not be there")).toBe(true);
    expect(differences(folderState(folderWith({ "run/lock": "" })), whole)).toEqual(["run/lock is missing"]);
  });
});

describe("a difference after damage", () => {
  const reference = { folder: folderWith(), state: whole, operations: [], seconds: 1 };
  const judge = (name: string, differs: string[], err = "", coarse = false) =>
    tolerated({ name, differs, err, coarse, reference });
  it("is accepted if it was reported", () => {
    expect(judge("run/checkpoints/20/state.json", ["it says 3"])).toBeUndefined();
    expect(judge("run/checkpoints/20/state.json", ["it says 3"], "Checkpoint 20 is damaged")).toBe("warned");
  });
  it("is accepted for an older checkpoint, not for the last one", () => {
    const name = "run/checkpoints/10/state.json";
    expect(judge(name, ["run/checkpoints/10/state.json is missing"])).toBe("survived");
    expect(judge(name, ["run/checkpoints/20/state.json differs"])).toBeUndefined();
    expect(judge(name, ["run/summary.json differs"])).toBeUndefined();
  });
  it("is not accepted if rows of metrics are lost", () => {
    const differs = ["run/metrics.jsonl differs"];
    expect(judge("run/metrics.jsonl", differs)).toBeUndefined();
    expect(judge("run/metrics.jsonl", differs, "run/metrics.jsonl: 3 of its 9 rows are lost")).toBe("warned");
    expect(judge("run/metrics.jsonl", ["it says 3"])).toBe("undetectable");
    expect(judge("run/metrics.jsonl", ["it says 3"], "", true)).toBeUndefined();
  });
});
