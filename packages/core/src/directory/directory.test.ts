import { spawn } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { codeIn } from "./config.ts";
import { RunDirectory } from "./directory.ts";
import { disk } from "./files.ts";
import { inspectLock } from "./lock.ts";
import { eventFiles, readEvents } from "./read-events.ts";
import { listRuns } from "./runs.ts";
import { chaosRun, scratch, settings } from "./testing.ts";

let folder: ReturnType<typeof scratch>;
let count = 0;
beforeAll(() => void (folder = scratch()));
afterAll(() => folder.done());
const fresh = () => join(folder.path, `run-${count++}`);
const text = (path: string, name: string) => readFileSync(join(path, name), "utf8");
const alter = (path: string, change: (json: Record<string, unknown>) => void) => {
  const json = JSON.parse(readFileSync(path, "utf8"));
  change(json);
  writeFileSync(path, JSON.stringify(json));
};

describe("a run directory", () => {
  it("stores the configuration with signals and special numbers", () => {
    const path = fresh();
    const options = {
      clip: { signal: "linear", from: 0.2, to: 0 },
      hidden: [64, 64],
      limit: Number.POSITIVE_INFINITY,
    };
    RunDirectory.create(path, { ...settings(10), options, note: "mine" }).close();
    const { config, name } = RunDirectory.open(path);
    expect(config).toMatchObject({ ...settings(10), options, format: 1, envOptions: {}, note: "mine" });
    expect(config.reins).toMatch(/^\d+\.\d+\.\d+/);
    expect(Math.abs(Date.parse(config.created) - Date.now())).toBeLessThan(60_000);
    expect(path.endsWith(name)).toBe(true);
  });
  it("finds code in the configuration", () => {
    const path = fresh();
    const options = { clip: { signal: "column", of: (c: number) => c + 1 }, n: 1 };
    RunDirectory.create(path, { ...settings(10), options }).close();
    const { config } = RunDirectory.open(path);
    expect(codeIn(config.options)).toBe("clip.of");
    expect(codeIn({ a: 1, b: [{}] })).toBeUndefined();
    expect(JSON.stringify(config.options)).toContain("c + 1");
  });
  it("is not created over existing files", () => {
    const path = fresh();
    RunDirectory.create(path, settings(10)).close();
    expect(() => RunDirectory.create(path, settings(10))).toThrow(
      "the directory already holds a run. Resume it",
    );
    writeFileSync(join(path, "notes.txt"), "mine");
    const run = RunDirectory.create(path, settings(20), { overwrite: true });
    run.log(1, {});
    run.close();
    RunDirectory.create(path, settings(30), { overwrite: true }).close();
    expect(readdirSync(path).sort()).toEqual(["checkpoints", "config.json", "notes.txt"]);
    expect(RunDirectory.open(path).config.steps).toBe(30);
    // The folder of a language model.
    const model = fresh();
    mkdirSync(join(model, "episodes"), { recursive: true });
    for (const file of ["config.json", "episodes/1.json"]) writeFileSync(join(model, file), '{"layers": 2}');
    for (const overwrite of [false, true])
      expect(() => RunDirectory.create(model, settings(10), { overwrite })).toThrow(
        "does not describe a run",
      );
    expect(readFileSync(join(model, "config.json"), "utf8")).toBe('{"layers": 2}');
    // A run that has lost its configuration, or another program's folder with such names.
    rmSync(join(model, "config.json"));
    for (const overwrite of [false, true])
      expect(() => RunDirectory.create(model, settings(10), { overwrite })).toThrow(
        "has episodes, but no config.json",
      );
    expect(readdirSync(join(model, "episodes"))).toEqual(["1.json"]);
    const other = fresh();
    RunDirectory.create(join(other, "inside"), settings(10)).close();
    expect(() => RunDirectory.create(other, settings(10), { overwrite: true })).toThrow(
      "holds no run. Choose another",
    );
    expect(() => RunDirectory.open(other)).toThrow("Not a run directory (no config.json)");
  });
  it("is not created if another process has just created one", () => {
    const path = fresh();
    let other = false;
    const openSync = ((file: string, ...rest: [string]) => {
      if (!other && file.includes("lock")) {
        other = true;
        RunDirectory.create(path, settings(20)).close();
      }
      return disk.openSync(file, ...rest);
    }) as typeof disk.openSync;
    expect(() => RunDirectory.create(path, settings(10), { files: { ...disk, openSync } })).toThrow(
      "the directory already holds a run",
    );
    expect(RunDirectory.open(path).config.steps).toBe(20);
    expect(inspectLock(path).state).toBe("free");
  });
  it("takes the next free name", () => {
    const root = fresh();
    const make = () => RunDirectory.next({ ...settings(10), env: "ALE/Pong-v5" }, { root });
    const names = [make(), make(), make()].map((d) => d.name);
    expect(names).toEqual(["chaos-ALE-Pong-v5-1", "chaos-ALE-Pong-v5-2", "chaos-ALE-Pong-v5-3"]);
  });
  it("counts time from opening, not from the first row", async () => {
    const path = fresh();
    const directory = RunDirectory.create(path, settings(10));
    await new Promise((later) => setTimeout(later, 60));
    directory.log(1, { x: 1 });
    directory.close();
    const { seconds } = JSON.parse(readFileSync(join(path, "times.jsonl"), "utf8"));
    expect(seconds).toBeGreaterThanOrEqual(0.05);
  });
  it("reports its path before the run exists", () => {
    const path = fresh();
    const seen: unknown[] = [];
    const claimed = (at: string) => seen.push(at, existsSync(join(at, "config.json")));
    RunDirectory.create(path, settings(10), { claimed }).close();
    expect(seen).toEqual([path, false]);
  });
  it("of another format is refused with the version to use", () => {
    const path = fresh();
    RunDirectory.create(path, settings(10)).close();
    alter(join(path, "config.json"), (c) => Object.assign(c, { format: 7, reins: "3.0.0" }));
    expect(() => RunDirectory.open(path)).toThrow(
      "format 7, created with Reins 3.0.0; this version reads format 1",
    );
  });
  it.each([
    ["torn", '{"format": 1, "alg', "it is not JSON"],
    ["empty", "", "it is empty"],
    ["something else", "null", "it is not the configuration of a run"],
    ["a list", "[]", "it is not the configuration of a run"],
    ["incomplete", '{"format": 1, "algorithm": "ppo"}', "its env is missing"],
    [
      "nonsense",
      '{"format": 1, "algorithm": "a", "env": "b", "options": [], "envOptions": {}}',
      "its options is []",
    ],
  ])("whose configuration is %s says so", (_, content, words) => {
    const path = fresh();
    RunDirectory.create(path, settings(10)).close();
    writeFileSync(join(path, "config.json"), content);
    expect(() => RunDirectory.open(path)).toThrow(words);
    expect(() => RunDirectory.open(path)).toThrow("Restore it from a copy, correct it by hand, or start");
  });
  it("whose configuration is a folder says so", () => {
    const path = fresh();
    mkdirSync(join(path, "config.json"), { recursive: true });
    expect(() => RunDirectory.open(path)).toThrow("config.json: it is a folder, but must be a file");
  });
});

describe("metrics", () => {
  it("are restored with NaN and infinities, and written for TensorBoard", () => {
    const path = fresh();
    const run = RunDirectory.create(path, settings(10));
    const row = {
      "return/mean": Number.NaN,
      up: Number.POSITIVE_INFINITY,
      down: -Number.POSITIVE_INFINITY,
      zero: -0,
      x: 1 / 3,
      'odd "né"': 1e21,
    };
    run.log(16, row);
    run.log(32, { x: 5e-324 });
    expect(run.metrics()).toEqual([
      { step: 16, ...row, up: Number.NaN, down: Number.NaN },
      { step: 32, x: 5e-324 },
    ]);
    expect(run.times().map((t) => t.step)).toEqual([16, 32]);
    expect(text(path, "metrics.jsonl")).toMatch(
      /^\{"step":16,"return\/mean":null,"up":null,"down":null,"zero":-0,/,
    );
    expect(() => run.log(31, {})).toThrow("step 31 is below the last step 32");
    run.close();
    expect(readEvents(eventFiles(path)[0]).map((e) => e.step)).toEqual([0, 16, 32]);
  });
  it("may end with a torn line", () => {
    const path = fresh();
    const warnings: string[] = [];
    const run = RunDirectory.create(path, settings(10), { warn: (m) => warnings.push(m) });
    run.log(1, { a: 1 });
    run.log(2, { a: 2 });
    run.close();
    appendFileSync(join(path, "metrics.jsonl"), '{"step":3,"a"');
    expect(run.metrics().map((r) => r.step)).toEqual([1, 2]);
    expect(warnings).toEqual([]);
    appendFileSync(join(path, "metrics.jsonl"), "\n");
    expect(run.metrics()).toHaveLength(2);
    expect(warnings[0]).toContain("line 3 is damaged");
  });
  it("are truncated to the checkpoint when the run resumes", () => {
    const path = fresh();
    const first = RunDirectory.create(path, settings(1000));
    const run = chaosRun(1000);
    for (const step of [16, 32, 48, 64]) {
      run.advance(step);
      first.log(step, run.metrics);
      if (step === 32) first.checkpoint(run);
    }
    first.close();
    appendFileSync(join(path, "metrics.jsonl"), '{"step":80,');
    const before = text(path, "metrics.jsonl");
    const second = RunDirectory.open(path);
    // Reading changes nothing.
    expect(second.latest()?.steps).toBe(32);
    expect(text(path, "metrics.jsonl")).toBe(before);
    const again = chaosRun(1000);
    expect(second.resume(again)).toBe(32);
    expect(second.metrics().map((r) => r.step)).toEqual([16, 32]);
    expect(second.times().map((r) => r.step)).toEqual([16, 32]);
    for (const step of [48, 64]) {
      again.advance(step);
      second.log(step, again.metrics);
    }
    second.close();
    expect(`${text(path, "metrics.jsonl")}{"step":80,`).toBe(before);
    expect(eventFiles(path).map((f) => readEvents(f).map((e) => e.step))).toEqual([
      [0, 16, 32],
      [0, 33, 48, 64],
    ]);
  });
});

it("keep rows after a damaged line when the run resumes", () => {
  const path = fresh();
  const first = RunDirectory.create(path, settings(1000));
  const run = chaosRun(1000);
  for (const step of [16, 32, 48]) {
    run.advance(step);
    first.log(step, run.metrics);
  }
  first.checkpoint(run);
  first.close();
  const lines = text(path, "metrics.jsonl").split("\n");
  lines[1] = lines[1].replace('"step":32', '"step"~32');
  writeFileSync(join(path, "metrics.jsonl"), lines.join("\n"));
  const second = RunDirectory.open(path, { warn: () => {} });
  second.resume(chaosRun(1000));
  expect(second.metrics().map((r) => r.step)).toEqual([16, 48]);
  second.close();
});

describe("a lock", () => {
  it("refuses other processes and names the holder", async () => {
    const path = fresh();
    const first = RunDirectory.create(path, settings(10));
    expect(() => RunDirectory.open(path).log(1, {})).toThrow(
      "already open in this process. Call close() first",
    );
    expect(RunDirectory.open(path).metrics()).toEqual([]);
    first.close();
    const other = spawn(process.execPath, ["-e", "setTimeout(() => {}, 60000)"]);
    const alive = {
      pid: other.pid,
      host: (await import("node:os")).hostname(),
      started: "today",
      ticks: null,
    };
    writeFileSync(join(path, "lock"), JSON.stringify(alive));
    expect(() => RunDirectory.open(path).log(1, {})).toThrow(
      `in use by process ${other.pid}, started today. Wait for it, or stop it with \`kill ${other.pid}\``,
    );
    expect(() => RunDirectory.create(path, settings(10), { overwrite: true })).toThrow("in use by process");
    expect(RunDirectory.open(path).status()).toBe("running");
    await new Promise((ended) => other.on("exit", ended).kill("SIGKILL"));
    expect(RunDirectory.open(path).status()).toBe("crashed");
    const taken = RunDirectory.open(path);
    taken.log(1, {});
    expect(inspectLock(path)).toMatchObject({ state: "held", holder: { pid: process.pid } });
    taken.close();
    expect(inspectLock(path).state).toBe("free");
  });
  it("is stale if its process id was reused; a lock of another machine is not", () => {
    const path = fresh();
    RunDirectory.create(path, settings(10)).close();
    const lock = (holder: object) => writeFileSync(join(path, "lock"), JSON.stringify(holder));
    const here = { pid: process.pid, host: "", started: "", ticks: "1" };
    lock(here);
    expect(() => RunDirectory.open(path).log(1, {})).toThrow(`delete ${join(path, "lock")} and try again`);
    if (existsSync("/proc/self/stat")) {
      const first = RunDirectory.open(path);
      writeFileSync(join(path, "lock"), JSON.stringify({ ...here, host: hostOf() }));
      first.log(1, {});
      first.close();
    }
  });
});

function hostOf(): string {
  const probe = RunDirectory.create(fresh(), settings(1));
  const { host } = inspectLock(probe.path).holder!;
  probe.close();
  return host;
}

describe("a run that does not match the directory", () => {
  const kept = (run = chaosRun(1000)) => {
    const directory = RunDirectory.create(fresh(), {
      ...settings(1000),
      options: run.options.algorithm.options,
    });
    run.advance(64);
    directory.checkpoint(run);
    directory.close();
    return directory.path;
  };
  it("is refused with another algorithm or environment", () => {
    const open = () => RunDirectory.open(kept());
    expect(() => open().resume(chaosRun(1000, { name: "order" }))).toThrow(
      "was trained with chaos, but this is order. Use",
    );
    expect(() => open().resume(chaosRun(1000, { env: "Else-v1" }))).toThrow(
      "was trained on Nothing-v0, but this is Else-v1",
    );
    expect(() => open().checkpoint(chaosRun(1000, { env: "Else-v1" }))).toThrow("this is Else-v1");
  });
  it("is refused with other shapes, with the options that differ", () => {
    const path = kept();
    expect(() => RunDirectory.open(path).resume(chaosRun(1000, { size: 16 }))).toThrow(
      new RegExp(
        `^Checkpoint ${path}/checkpoints/64, written by Reins [\\d.]+, does not fit: restore: process.wide has 16 entries here; ` +
          "in the checkpoint it has 8 entries. It was trained with size 8, not 16. Resume it with the same options, or start a new run.$",
      ),
    );
    expect(inspectLock(path).state).toBe("free");
  });
  it("does not start over if no checkpoint can be read", () => {
    const path = kept();
    writeFileSync(join(path, "checkpoints", "64", "state.json"), "{}");
    const open = () => RunDirectory.open(path, { warn: () => {} });
    expect(() => open().resume(chaosRun(1000))).toThrow(
      "no checkpoint can be read (64). Restore them from a copy, or start a new run in another directory.",
    );
    expect(() => open().log(80, {})).toThrow("no checkpoint can be read");
    expect(open().latest()).toBeUndefined();
  });
  it.each([
    ["is missing", (folder: string) => rmSync(folder, { recursive: true })],
    ["is empty", (folder: string) => rmSync(join(folder, "64"), { recursive: true })],
    [
      "is a file where the folder",
      (folder: string) => {
        rmSync(folder, { recursive: true });
        writeFileSync(folder, "");
      },
    ],
  ])("does not start over if the folder of its checkpoints %s", (words, lose) => {
    const path = kept();
    const directory = RunDirectory.open(path);
    directory.log(64, { a: 1 });
    directory.log(80, { a: 2 });
    directory.close();
    lose(join(path, "checkpoints"));
    const files = () =>
      Object.fromEntries(readdirSync(path).map((n) => [n, statSync(join(path, n)).mtimeMs]));
    const before = files();
    const open = () => RunDirectory.open(path);
    expect(() => open().resume(chaosRun(1000))).toThrow(words);
    expect(() => open().log(96, {})).toThrow(/Restore .* from a copy/);
    expect(() => open().resume(chaosRun(1000))).toThrow(/start a new run in another directory/);
    expect(files()).toEqual(before);
    expect(open().metrics()).toHaveLength(2);
  });
  it("starts over if it was killed before its first checkpoint", () => {
    const directory = RunDirectory.create(fresh(), settings(1000));
    directory.log(16, { a: 1 });
    directory.close();
    expect(RunDirectory.open(directory.path).resume(chaosRun(1000))).toBe(0);
  });
  it("stores a larger budget", () => {
    const path = kept();
    const directory = RunDirectory.open(path);
    directory.resume(chaosRun(5000));
    directory.close();
    expect(RunDirectory.open(path).config.steps).toBe(5000);
  });
});

describe("the list of runs", () => {
  it("shows the state of each", () => {
    const root = fresh();
    const names = ["running", "stopped", "finished", "crashed", "failed"];
    const [running, stopped, finished, crashed, failed] = names.map((name) => {
      const d = RunDirectory.create(join(root, name), settings(100));
      d.log(16, { "return/mean": 3 });
      return d;
    });
    finished.finish({ steps: 100, metrics: { "return/mean": Number.NaN } });
    failed.finish({ status: "crashed", steps: 20, error: "NaN in loss" });
    for (const d of [stopped, finished, crashed, failed]) d.close();
    writeFileSync(
      join(crashed.path, "lock"),
      JSON.stringify({ ...inspectLock(running.path).holder, pid: 2 ** 22 + 1 }),
    );
    writeFileSync(join(root, "stray.txt"), "");
    const found = Object.fromEntries(listRuns(root).map((r) => [r.name, r]));
    expect(Object.keys(found).sort()).toEqual([...names].sort());
    for (const name of names.slice(0, 4)) expect(found[name].status).toBe(name);
    expect(found.failed).toMatchObject({
      status: "crashed",
      algorithm: "chaos",
      env: "Nothing-v0",
      budget: 100,
      steps: 20,
    });
    expect(found.finished).toMatchObject({ steps: 100, return: 3, seed: 1 });
    expect(finished.summary()?.metrics).toEqual({ "return/mean": Number.NaN });
    expect(text(finished.path, "summary.json")).toContain('{"return/mean":null}');
    expect(RunDirectory.open(failed.path).summary()?.error).toBe("NaN in loss");
    // A resumed run has not ended.
    const again = RunDirectory.open(failed.path);
    again.resume(chaosRun(100));
    again.log(16, {});
    again.close();
    expect(again.status()).toBe("stopped");
    running.close();
    expect(listRuns(join(root, "nowhere"))).toEqual([]);
  });
});
