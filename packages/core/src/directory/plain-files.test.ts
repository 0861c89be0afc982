import { execFileSync } from "node:child_process";
import {
  cpSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { EpisodeRecorder } from "../loop/recorder.ts";
import { RunDirectory } from "./directory.ts";
import { listRuns, readRun } from "./runs.ts";
import { chaosRun, scratch, settings } from "./testing.ts";

const { path: root, done } = scratch();
afterAll(done);
let tests = 0;
let [path, outside] = ["", ""];

/** A stopped run with a checkpoint, an episode and rows after its checkpoint, and a folder outside of it. */
beforeEach(() => {
  [path, outside] = [join(root, `run-${++tests}`), join(root, `outside-${tests}`)];
  const run = chaosRun(256);
  const directory = RunDirectory.create(path, settings(256));
  for (let i = 0; i < 4; i++) run.round();
  directory.log(run.steps, run.metrics);
  directory.recordEpisode(new EpisodeRecorder().finish({ terminated: true, truncated: false }), run.steps);
  directory.checkpoint(run);
  run.round();
  directory.log(run.steps, run.metrics);
  directory.recordEpisode(new EpisodeRecorder().finish({ terminated: true, truncated: false }), run.steps);
  directory.close();
  mkdirSync(outside);
});

/** Every file below a folder with its content. */
const treeOf = (folder: string): { [name: string]: string } =>
  Object.fromEntries(
    readdirSync(folder, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((file) => [file, readFileSync(file, "latin1")]),
  );

const uses: { readonly [name: string]: () => unknown } = {
  resume: () => RunDirectory.open(path, { warn() {} }).resume(chaosRun(256)),
  metrics: () => RunDirectory.open(path).metrics(),
  episodes: () => RunDirectory.open(path, { warn() {} }).episodes(),
  latest: () => RunDirectory.open(path).latest(),
};

describe.skipIf(process.platform === "win32")("a run directory", () => {
  const parts = [
    ...["config.json", "metrics.jsonl", "times.jsonl", "lock", "last.agent", "summary.json"],
    ...["checkpoints", "checkpoints/64", "checkpoints/64/state.json", "episodes", "episodes/2.json"],
  ];

  it.each(parts)("with %s as a symbolic link is refused and nothing is changed", (part) => {
    const [inside, target] = [join(path, part), join(outside, "target")];
    if (lstatSync(inside, { throwIfNoEntry: false })) renameSync(inside, target);
    else writeFileSync(target, "{}");
    symlinkSync(target, inside);
    const before = treeOf(outside);
    for (const [name, use] of Object.entries(uses))
      expect(use, name).toThrow(`${inside}: it is a symbolic link`);
    expect(treeOf(outside)).toEqual(before);
    const warnings: string[] = [];
    listRuns(root, (message) => warnings.push(message));
    expect(warnings.join("\n")).toContain(`${inside}: it is a symbolic link`);
  });

  it.each(["config.json", "metrics.jsonl", "episodes/2.json"])("with a pipe as %s is refused", (part) => {
    renameSync(join(path, part), join(outside, "file"));
    execFileSync("mkfifo", [join(path, part)]);
    for (const use of Object.values(uses))
      expect(use).toThrow(`${join(path, part)}: it is not a regular file`);
    if (part === "config.json") expect(() => readRun(path)).toThrow("it is not a regular file");
  });

  it("with a hard-linked log can be read and is not written to", () => {
    linkSync(join(path, "metrics.jsonl"), join(outside, "copy"));
    const before = treeOf(outside);
    const inside = treeOf(path);
    expect(uses.metrics()).toHaveLength(2);
    expect(uses.resume).toThrow(`${join(path, "metrics.jsonl")}: it has 2 hard links`);
    expect([treeOf(outside), treeOf(path)]).toEqual([before, inside]);
  });

  it("may itself be a symbolic link", () => {
    const link = join(root, `link-${tests}`);
    symlinkSync(path, link);
    expect(RunDirectory.open(link, { warn() {} }).resume(chaosRun(256))).toBe(64);
  });

  it("leaves other files of the user alone, links too", () => {
    symlinkSync("/etc", join(path, "notes"));
    expect(uses.resume()).toBe(64);
  });

  it("with a link in place of a temporary file or an episode's arrays is written without following it", () => {
    const target = join(outside, "target");
    writeFileSync(target, "mine");
    const at = join(path, `config.json.${process.pid}.part`);
    const directory = RunDirectory.open(path, { warn() {} });
    const run = chaosRun(256);
    directory.resume(run);
    // While the lock is held, so that opening has not seen it.
    symlinkSync(target, at);
    symlinkSync(target, join(path, "episodes", "2.safetensors"));
    directory.finish({ steps: 64 });
    const recorder = new EpisodeRecorder();
    for (let i = 0; i < 9000; i++) recorder.add({ reward: i });
    directory.recordEpisode(recorder.finish({ terminated: true, truncated: false }), 80);
    directory.close();
    expect(readFileSync(target, "utf8")).toBe("mine");
    expect(lstatSync(join(path, "episodes", "2.safetensors")).isFile()).toBe(true);
  });
});

it("a resumed finished run is unchanged, byte for byte", () => {
  const run = chaosRun(64);
  const finished = join(root, "finished");
  const directory = RunDirectory.create(finished, settings(64));
  while (!run.finished) {
    run.round();
    directory.record(run);
  }
  // Recorded at the evaluation, after the last checkpoint.
  directory.recordEpisode(new EpisodeRecorder().finish({ terminated: true, truncated: false }), run.steps);
  directory.finish({ steps: run.steps });
  directory.close();
  const before = treeOf(finished);
  for (let i = 0; i < 2; i++) {
    const again = RunDirectory.open(finished);
    expect(again.resume(chaosRun(64))).toBe(64);
    expect(again.isOver).toBe(true);
    again.close();
    expect(treeOf(finished)).toEqual(before);
  }
  const copy = join(root, "extended");
  cpSync(finished, copy, { recursive: true });
  const extended = RunDirectory.open(copy);
  extended.resume(chaosRun(128), { steps: 128 });
  expect([extended.isOver, extended.episodes()]).toEqual([false, []]);
  extended.close();
});
