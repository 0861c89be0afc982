import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { Fault } from "./fault.ts";
import { runNode } from "./process.ts";
import { scratch } from "./scratch.ts";

const folder = scratch();
afterAll(() => folder.close());

/** Runs a small program under a fault; it writes `abcdef` in two calls and prints what happened. */
async function underFault(fault: Omit<Fault, "root">, program = writer) {
  const root = folder.fresh("program");
  const script = `${root}.mjs`;
  writeFileSync(script, program);
  mkdirSync(join(root, "inner"));
  const result = await runNode([script, join(root, "file")], { fault: { root, ...fault } });
  return { ...result, root, file: join(root, "file") };
}
const writer = `
  import { closeSync, openSync, writeSync } from "node:fs";
  const fd = openSync(process.argv[2], "w");
  const done = [];
  for (const text of ["abc", "def"])
    try { done.push(writeSync(fd, Buffer.from(text))); } catch (error) { done.push(error.code); }
  closeSync(fd);
  console.log(done.join());`;

describe("an injected fault", () => {
  it("only counts with kind count, and lists the operations", async () => {
    const trace = join(folder.path, "trace");
    const { out, file } = await underFault({ kind: "count", at: 0, trace });
    expect(out).toBe("3,3\n");
    expect(readFileSync(file, "utf8")).toBe("abcdef");
    expect(readFileSync(trace, "utf8").split("\n")).toEqual([
      "openSync file",
      "writeSync file",
      "writeSync file",
      "closeSync file",
    ]);
  });
  it("fails once or from then on, after half of a write or none", async () => {
    const once = await underFault({ kind: "fail", at: 2, code: "EIO" });
    expect([once.out, readFileSync(once.file, "utf8")]).toEqual(["EIO,3\n", "def"]);
    const half = await underFault({ kind: "fail", at: 2, code: "ENOSPC", lasting: true, when: "within" });
    expect([half.out, readFileSync(half.file, "utf8")]).toEqual(["ENOSPC,ENOSPC\n", "ad"]);
  });
  it("waits for an operation that can fail with the code", async () => {
    // Writing to an open file needs no permission, and opening has succeeded.
    const { out } = await underFault({ kind: "fail", at: 2, code: "EACCES", lasting: true });
    expect(out).toBe("3,3\n");
  });
  it("makes a short write", async () => {
    const { out, file } = await underFault({ kind: "short", at: 3 });
    expect([out, readFileSync(file, "utf8")]).toEqual(["3,1\n", "abcd"]);
  });
  it("kills before, after and in the middle", async () => {
    for (const [when, left] of [
      ["before", ""],
      ["within", "a"],
      ["after", "abc"],
    ] as const) {
      const { code, out, file } = await underFault({ kind: "kill", at: 2, when });
      expect([code, out, readFileSync(file, "utf8")]).toEqual([null, "", left]);
    }
  });
});

describe("a process", () => {
  it("that hangs is killed", async () => {
    const script = join(folder.path, "hangs.mjs");
    writeFileSync(script, "setInterval(() => {}, 1000);");
    const { hung, code } = await runNode([script], { limit: 1 });
    expect([hung, code]).toEqual([true, null]);
  });
});
