import { cpSync, existsSync, openSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { DamagedDataError, ReinsError } from "../errors.ts";
import { Checkpoints } from "./checkpoints.ts";
import { RunDirectory } from "./directory.ts";
import { EventWriter } from "./events.ts";
import { disk } from "./files.ts";
import { LineFile } from "./lines.ts";
import { chaosRun, limited, scratch, settings, visible } from "./testing.ts";

let folder: ReturnType<typeof scratch>;
let count = 0;
beforeAll(() => void (folder = scratch()));
afterAll(() => folder.done());
/** A disk without syncing. */
const quick = limited(1e9, "EIO");
const fresh = () => join(folder.path, `${count++}`);
const text = (path: string, name: string) => readFileSync(join(path, name), "utf8");

/** A directory with a row and a checkpoint. */
function opened() {
  const path = fresh();
  const directory = RunDirectory.create(path, settings(1000), { files: quick });
  const run = chaosRun(1000);
  run.advance(16);
  directory.log(16, run.metrics);
  directory.checkpoint(run);
  return { path, directory, run };
}

/** A closed directory with a row and a checkpoint, and its state. */
function begun() {
  const { path, directory, run } = opened();
  directory.close();
  return { path, first: visible(run.save()) };
}

/** Resumes, and adds another row and checkpoint. */
function goOn(path: string, files: typeof disk = quick) {
  const directory = RunDirectory.open(path, { files, warn: () => {} });
  const run = chaosRun(1000);
  directory.resume(run);
  run.advance(32);
  directory.log(32, run.metrics);
  directory.checkpoint(run);
  directory.close();
  return run;
}

describe("a process that dies", () => {
  it("at any byte of a checkpoint leaves the previous or the complete new one", () => {
    const path = fresh();
    const at = (files: typeof disk) => new Checkpoints(path, files, 2, () => {});
    const head = { format: 1, reins: "0.1.0", algorithm: "a", env: "E-v0", steps: 10 };
    const [first, second] = [{ x: Float64Array.of(1) }, { x: Float64Array.of(2), t: [-0] }];
    at(disk).write(head, first);
    const found = new Map<number, number>();
    for (let budget = 0, done = false; !done; budget++) {
      try {
        at(limited(budget)).write({ ...head, steps: 20 }, second);
        done = true;
      } catch {}
      const { steps, snapshot } = at(disk).latest()!;
      expect(visible(snapshot)).toEqual(visible(steps === 10 ? first : second));
      found.set(steps, (found.get(steps) ?? 0) + 1);
      if (steps === 20) disk.rmSync(join(path, "20"), { recursive: true });
    }
    expect(found.get(10)).toBeGreaterThan(300);
  });

  it("anywhere between two checkpoints resumes exactly", () => {
    const { path: start, first } = begun();
    const whole = fresh();
    cpSync(start, whole, { recursive: true });
    const second = visible(goOn(whole).save());
    for (let budget = 0, done = false; !done; budget += 53) {
      const path = fresh();
      cpSync(start, path, { recursive: true });
      try {
        goOn(path, limited(budget));
        done = true;
      } catch {}
      // The lock of the simulated process would look like this one's, and alive.
      disk.rmSync(join(path, "lock"), { force: true });
      const { steps, snapshot } = RunDirectory.open(path).latest()!;
      expect(visible(snapshot)).toEqual(steps === 16 ? first : second);
      if (steps === 32) continue;
      expect(visible(goOn(path).save())).toEqual(second);
      expect(text(path, "metrics.jsonl")).toBe(text(whole, "metrics.jsonl"));
      expect(readdirSync(join(path, "checkpoints")).sort()).toEqual(["16", "32"]);
    }
  });
});

describe("a full disk", () => {
  it("stops the run with the intact checkpoint and the remedy, and the run resumes later", () => {
    const { path: start } = begun();
    const whole = fresh();
    cpSync(start, whole, { recursive: true });
    goOn(whole);
    let failures = 0;
    for (let bytes = 0; ; bytes += 97) {
      const path = fresh();
      cpSync(start, path, { recursive: true });
      try {
        goOn(path, limited(bytes, "ENOSPC"));
        break;
      } catch (error) {
        failures++;
        expect(error).toBeInstanceOf(ReinsError);
        expect((error as Error).message).toMatch(
          /no space is left on the disk \(ENOSPC\)\. The checkpoint at step (16|32) is intact\./,
        );
        expect((error as Error).message).toContain(
          `Free some space, then continue with \`reins resume ${path}\`.`,
        );
      }
      // Written data are complete: no torn line, no partial checkpoint.
      for (const name of ["metrics.jsonl", "times.jsonl"]) expect(text(path, name)).toMatch(/^(\{.*\}\n)*$/);
      expect(readdirSync(join(path, "checkpoints")).filter((n) => !/^(16|32)$/.test(n))).toEqual([]);
      disk.rmSync(join(path, "lock"), { force: true });
      goOn(path);
      expect(text(path, "metrics.jsonl")).toBe(text(whole, "metrics.jsonl"));
      disk.rmSync(path, { recursive: true });
    }
    expect(failures).toBeGreaterThan(10);
  });
  it("may get space again during the run", () => {
    const files = limited(1e6, "ENOSPC");
    const directory = RunDirectory.create(fresh(), settings(1000), { files });
    const run = chaosRun(1000);
    run.advance(64);
    directory.log(64, run.metrics);
    directory.checkpoint(run);
    run.advance(128);
    files.left = 20;
    expect(() => directory.log(128, run.metrics)).toThrow("writing metrics failed: no space");
    files.left = 20;
    expect(() => directory.checkpoint(run)).toThrow(
      "writing a checkpoint failed: no space is left on the disk (ENOSPC). The checkpoint at step 64 is intact.",
    );
    files.left = 1e6;
    directory.log(128, run.metrics);
    directory.checkpoint(run);
    directory.close();
    expect(directory.metrics().map((r) => r.step)).toEqual([64, 128]);
    expect(directory.latest()?.steps).toBe(128);
  });
  it("other disk errors have their own messages", () => {
    for (const [code, words] of [
      ["EIO", "the disk reported an error (EIO)"],
      ["EACCES", "access is not permitted (EACCES)"],
      ["EROFS", "the disk is read-only (EROFS)"],
    ]) {
      expect(() => RunDirectory.create(fresh(), settings(10), { files: limited(0, code) })).toThrow(words);
      const path = fresh();
      expect(() => RunDirectory.create(path, settings(10), { files: limited(150, code) })).toThrow(words);
      expect(existsSync(join(path, "lock"))).toBe(false);
    }
  });
  it.skipIf(!existsSync("/dev/full"))("is detected by both writers on a real device", () => {
    const full = openSync("/dev/full", "w");
    const writeSync: typeof disk.writeSync = (_, ...rest) => disk.writeSync(full, ...rest);
    const files = { ...disk, writeSync };
    disk.mkdirSync(join(folder.path, "full"));
    const lines = new LineFile(join(folder.path, "full", "lines"), files);
    expect(() => lines.append(Buffer.from("{}\n"), 3)).toThrow("ENOSPC");
    const events = new EventWriter(join(folder.path, "full"), files);
    events.scalars(1, { a: 1 });
    expect(() => events.flush()).toThrow("ENOSPC");
    expect(() => events.close()).not.toThrow();
  });
});

describe("messages about the state after a failure", () => {
  const failing = (path: string) => RunDirectory.open(path, { files: limited(0, "ENOSPC"), warn: () => {} });
  const words = (action: () => unknown): string => {
    try {
      action();
    } catch (error) {
      expect(error).toBeInstanceOf(ReinsError);
      return (error as Error).message;
    }
    return "";
  };
  it("call a checkpoint intact only if it is", () => {
    const { path } = begun();
    expect(words(() => failing(path).log(32, {}))).toContain("The checkpoint at step 16 is intact.");
    writeFileSync(join(path, "checkpoints/16/state.safetensors"), "torn");
    expect(words(() => failing(path).finish({ steps: 16 }))).toMatch(
      /no space is left on the disk \(ENOSPC\)\. No checkpoint is readable\. Free some space/,
    );
  });
  it("report a directory that was deleted during a run, and nothing is written to it", () => {
    const { path, directory, run } = opened();
    disk.rmSync(path, { recursive: true });
    for (const action of [
      () => directory.log(32, run.metrics),
      () => directory.checkpoint(run),
      () => directory.finish({ steps: 32 }),
    ])
      expect(words(action)).toMatch(
        /failed: the directory was deleted or moved away while the run was using it\. Nothing of the run is left there/,
      );
    directory.close();
    expect(existsSync(path)).toBe(false);
  });
  it("name the file in the way", () => {
    const file = fresh();
    writeFileSync(file, "");
    expect(words(() => RunDirectory.create(file, settings(10)))).toContain(
      "there is a file where a folder should be",
    );
    expect(words(() => RunDirectory.create(join(file, "run"), settings(10)))).toContain(
      "there is a file where a folder should be",
    );
    expect(words(() => RunDirectory.next(settings(10), { root: file }))).toContain(
      "there is a file where a folder should be",
    );
  });
});

it("skips a checkpoint if a file that it refers to is damaged", () => {
  /** A run that stores a file beside its checkpoints; the last is damaged. */
  const make = () => {
    const run = chaosRun(1000);
    const file = {
      save: () => run.steps,
      restore: (steps: number) => {
        if (steps === 32) throw new DamagedDataError(`file ${steps} has 0 bytes instead of 600.`);
      },
    };
    Object.assign(run.process.parts, { file });
    return run;
  };
  const path = fresh();
  const directory = RunDirectory.create(path, settings(1000), { files: quick });
  const run = make();
  for (const steps of [16, 32]) {
    run.advance(steps);
    directory.log(steps, run.metrics);
    directory.checkpoint(run);
  }
  directory.close();
  const warnings: string[] = [];
  const again = RunDirectory.open(path, { files: quick, warn: (m) => warnings.push(m) });
  const resumed = make();
  expect(again.resume(resumed)).toBe(16);
  expect(warnings.join()).toContain("file 32 has 0 bytes");
  resumed.advance(32);
  expect(visible(resumed.save())).toEqual(visible(run.save()));
  again.close();
});

it("does not call an intact checkpoint damaged if it does not fit into memory", () => {
  const { path } = begun();
  const warnings: string[] = [];
  const directory = RunDirectory.open(path, { warn: (m) => warnings.push(m) });
  const full = vi.spyOn(Object, "fromEntries").mockImplementation(() => {
    throw new RangeError("Array buffer allocation failed");
  });
  expect(() => directory.latest()).toThrow("Array buffer allocation failed");
  full.mockRestore();
  expect(warnings).toEqual([]);
});
