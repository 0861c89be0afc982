import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkpointFormat } from "./checkpoint.ts";
import { Checkpoints } from "./checkpoints.ts";
import { RunDirectory } from "./directory.ts";
import { disk } from "./files.ts";
import { chaosRun, limited, scratch, settings } from "./testing.ts";

let folder: ReturnType<typeof scratch>;
let whole: string;
let count = 0;
const files = limited(1e9, "EIO");
beforeAll(() => {
  folder = scratch();
  whole = join(folder.path, "whole");
  const directory = RunDirectory.create(whole, settings(1000), { files });
  const run = chaosRun(1000);
  for (const steps of [16, 32, 48]) {
    run.advance(steps);
    directory.log(steps, run.metrics);
  }
  directory.checkpoint(run);
  run.advance(64);
  directory.log(64, run.metrics);
  directory.close();
});
afterAll(() => folder.done());

/** A copy of a run with a checkpoint at step 48 and rows up to 64, to be damaged. */
function copy(): string {
  const path = join(folder.path, `${count++}`);
  cpSync(whole, path, { recursive: true });
  return path;
}
const edit = (path: string, change: (text: string) => string) =>
  writeFileSync(path, change(readFileSync(path, "utf8")));

/** Resumes, and returns the warnings and the remaining rows. */
function resume(path: string, steps = 1000): { said: string; rows: (number | undefined)[]; path: string } {
  const warnings: string[] = [];
  const directory = RunDirectory.open(path, { files, warn: (m) => warnings.push(m) });
  directory.resume(chaosRun(steps));
  directory.close();
  const said = warnings.join("\n");
  return { said, rows: directory.metrics().map((r) => r.step), path };
}

describe("configuration of a checkpoint", () => {
  it("refuses another configuration with the differences, and changes nothing", () => {
    for (const [from, to, words] of [
      ['"seed": 1', '"seed": 3', "seed is 3 instead of 1."],
      ['"size": 8', '"size": 9', "options.size is 9 instead of 8."],
      ['"size": 8', '"sixe": 8', "options.size is absent instead of 8, options.sixe is 8 instead of absent."],
      ['"reins": "0', '"reins": "1', "reins is "],
    ]) {
      const path = copy();
      edit(join(path, "config.json"), (text) => text.replace(from, to));
      const before = readFileSync(join(path, "metrics.jsonl"), "utf8");
      const found = () => RunDirectory.open(path).latest();
      for (const use of [found, () => resume(path)]) {
        expect(use).toThrow("config.json differs from the configuration of the checkpoint at step 48");
        expect(use).toThrow(words);
      }
      expect(readFileSync(join(path, "metrics.jsonl"), "utf8")).toBe(before);
    }
  });
  it("accepts another layout, creation time, evaluation options and paths", () => {
    const path = copy();
    const elsewhere = { module: "/elsewhere", saveModel: "/a", saveAdapters: "/b", evalEvery: 16 };
    edit(join(path, "config.json"), (text) => {
      const { created: _, ...rest } = JSON.parse(text);
      return JSON.stringify(
        Object.fromEntries(Object.entries({ ...rest, created: "?", ...elsewhere }).reverse()),
      );
    });
    expect(resume(path).said).toBe("");
  });
  it("accepts more steps, and warns about an edited budget", () => {
    const path = copy();
    expect(resume(path, 2000).said).toBe("");
    expect(resume(path, 2000).said).toContain(
      "config.json has 2000 steps; when the checkpoint at step 48 was written, it had 1000.",
    );
  });
  it("accepts an old checkpoint without it, with a warning", () => {
    const path = copy();
    const made = new Checkpoints(join(path, "checkpoints"), files, 2, () => {});
    const { snapshot } = made.latest()!;
    const head = {
      format: checkpointFormat,
      reins: "0.1.0",
      algorithm: "chaos",
      env: "Nothing-v0",
      steps: 48,
    };
    made.write(head, snapshot);
    const { said, rows } = resume(path);
    expect(said).toContain("so config.json cannot be verified");
    expect(rows).toEqual([16, 32, 48]);
  });
});

describe("rows before a checkpoint", () => {
  const damaged = (change: (text: string) => string) => {
    const path = copy();
    edit(join(path, "metrics.jsonl"), change);
    return resume(path);
  };
  it("gives no warning if they are intact", () =>
    expect(damaged((text) => `${text}{"step":80`)).toMatchObject({ said: "", rows: [16, 32, 48] }));
  it("warns how many are lost", () => {
    expect(damaged(() => "")).toMatchObject({
      said: expect.stringContaining("metrics.jsonl: 3 of its 3 rows are lost or damaged; 0 can be read."),
      rows: [],
    });
    const { said, rows } = damaged((text) => text.slice(0, text.indexOf('"step":48')));
    expect(said).toContain(
      "1 of its 3 rows are lost or damaged; 2 can be read, the last of them at step 32.",
    );
    expect(rows).toEqual([16, 32]);
    const path = copy();
    rmSync(join(path, "metrics.jsonl"));
    expect(resume(path).said).toContain("3 of its 3 rows are lost");
    expect(damaged((text) => text.replace('"loss/total":', '"loss/totem":')).said).toContain(
      "some of its 3 rows were changed",
    );
  });
  it("warns about added and changed rows", () => {
    expect(damaged((text) => text.slice(0, text.indexOf("\n") + 1) + text).said).toContain(
      "it has 4 rows instead of 3: some were added. The checkpoint at step 48 is intact, so the run continues from there. Readable rows are kept.",
    );
    const both = damaged((text) => text.replace('{"step":16', '{"step":916').replace('{"step":32', "["));
    expect(both.said).toContain("1 of its 3 rows are lost or damaged and 1 changed; 1 can be read, the last");
  });
  it("keeps intact rows after a damaged one", () => {
    expect(damaged((text) => text.replace('{"step":32', '{"step":932'))).toMatchObject({
      said: expect.stringContaining(
        "1 of its 3 rows were changed: their steps are later than the checkpoint.",
      ),
      rows: [16, 932, 48],
    });
    expect(damaged((text) => text.replace('{"step":32', '["step":32')).rows).toEqual([16, 48]);
  });
});

describe("cleans up after a dead process", () => {
  it("temporary files", () => {
    const path = copy();
    mkdirSync(join(path, "episodes"));
    const drafts = ["summary.json.77.part", "checkpoints.written.77.part", "episodes/3.json.77.part"];
    for (const name of drafts) writeFileSync(join(path, name), "torn");
    writeFileSync(join(path, "mine.part"), "");
    resume(path);
    expect(drafts.filter((name) => existsSync(join(path, name)))).toEqual([]);
    expect(existsSync(join(path, "mine.part"))).toBe(true);
  });
  it("surplus checkpoints, and the missing marker file", () => {
    const path = copy();
    const at = (keep: number) => new Checkpoints(join(path, "checkpoints"), files, keep, () => {});
    const [three, one] = [at(3), at(1)];
    const { head, snapshot } = three.latest()!;
    for (const steps of [64, 80]) three.write({ ...head, steps }, snapshot);
    const kept = () => readdirSync(join(path, "checkpoints")).sort();
    one.latest();
    one.tidy();
    expect(kept()).toEqual(["48", "64", "80"]);
    cpSync(join(path, "checkpoints/48"), join(path, "checkpoints/32"), { recursive: true });
    disk.rmSync(join(path, "checkpoints.written"));
    one.tidy();
    expect(kept()).toEqual(["48", "64", "80"]);
    expect(one.wereWritten).toBe(true);
  });
});
