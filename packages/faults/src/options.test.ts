import { describe, expect, it } from "vitest";
import { campaigns } from "./campaigns.ts";
import { endingOf } from "./ending.ts";
import { help } from "./help.ts";
import { readOptions } from "./options.ts";
import { randomOf } from "./random.ts";
import { table } from "./table.ts";

const names = campaigns.map((c) => c.name);
const read = (...args: string[]) => readOptions(args, names, new Date("2026-01-31T12:00:00Z"));

describe("the command line", () => {
  it("defaults to three minutes and the day's seed", () => {
    expect(read()).toMatchObject({ campaigns: [], extent: { seed: 20260131, seconds: 180, jobs: 1 } });
    expect(read("kill", "--count", "500", "--seed=7").extent).toEqual({ seed: 7, count: 500, jobs: 1 });
    expect(read("kill", "--of", "q,ppo").extent.of).toEqual(["q", "ppo"]);
    expect(read("kill", "--only", "0")).toMatchObject({ campaigns: ["kill"], extent: { only: 0 } });
    expect(read("--minutes", "0.5", "--json")).toMatchObject({ json: true, extent: { seconds: 30 } });
  });
  it("refuses invalid arguments", () => {
    expect(() => read("kil")).toThrow("Unknown campaign or option kil. Use kill, disk");
    expect(() => read("--count", "many")).toThrow("--count needs a non-negative number, but got many");
    expect(() => read("--count")).toThrow("but got nothing");
    expect(() => read("--only", "3")).toThrow("name the campaign");
  });
  it("has a help text", () => {
    for (const name of names) expect(help(campaigns)).toContain(`\n  ${name} `);
    const counts = { faults: 12, wrong: 0 };
    const line = { campaign: "disk", seed: 7, trials: 12, seconds: 3.4, counts, findings: [] };
    expect(table([line])).toMatch(/\ndisk +12 +12 faults, 0 wrong +0 +3 s +7$/);
  });
});

describe("a trial", () => {
  it("depends only on its seed and number", () => {
    const draws = (...key: (string | number)[]) => {
      const random = randomOf(...key);
      return Array.from({ length: 5 }, () => random.below(1000));
    };
    expect(draws(7, "kill", 3)).toEqual(draws(7, "kill", 3));
    expect(draws(7, "kill", 3)).not.toEqual(draws(7, "kill", 4));
    expect(draws(7, "kill", 3)).not.toEqual(draws(8, "kill", 3));
  });
});

describe("an exit", () => {
  const result = (code: number | null, err: string, hung = false) =>
    endingOf({ code, err, hung, out: "", seconds: 1 }).kind;
  it("is classified as well, named or wrong", () => {
    expect(result(0, "reins: native back end, up to 2 threads (the fastest here)\n")).toBe("well");
    expect(result(1, "reins: run: the disk is read-only (EROFS). Make it writable.\n")).toBe("named");
    expect(result(1, "reins: native back end (the fastest here)\n")).toBe("wrong");
    expect(result(0, "Error: x\n    at f (file:///a.js:1:2)\n")).toBe("wrong");
    expect(result(1, "reins: Error: EIO\n    at openSync (node:fs:573:18)\n")).toBe("wrong");
    expect(result(null, "")).toBe("wrong");
    expect(result(null, "", true)).toBe("wrong");
  });
});
