import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tensor, zeros } from "@reins/tensor";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Episode } from "../episode.ts";
import { RunDirectory } from "./directory.ts";
import { chaosRun, scratch, settings, visible } from "./testing.ts";

let folder: ReturnType<typeof scratch>;
beforeAll(() => void (folder = scratch()));
afterAll(() => folder.done());

const small: Episode = {
  columns: {
    observation: tensor([0.1, -0, Number.NaN, 4], { shape: [2, 2] }),
    action: tensor([1, 0], { dtype: "i32" }),
    by: tensor([0, 1], { dtype: "u8" }),
    done: tensor([0, 1], { dtype: "bool" }),
    none: tensor([], { shape: [2, 0] }),
  },
  segments: [
    { from: 0, to: 1, context: "a prompt" },
    { from: 1, to: 2, parent: { segment: 0, step: 0 }, owner: 0 },
  ],
  terminated: true,
  truncated: false,
  return: [1.5, Number.NEGATIVE_INFINITY],
  task: "maze-3",
  context: { level: Float64Array.of(1 / 3), size: 4 } as never,
  group: "g",
  info: { text: "said", score: Number.NaN, list: [1, { a: null }] },
};

it("restores small and large episodes", () => {
  const directory = RunDirectory.create(join(folder.path, "a"), settings(100));
  const observation = zeros([64, 84, 3]);
  observation.data[5] = 0.25;
  const large = { ...small, columns: { observation: { pixels: observation }, action: zeros([64], "i32") } };
  expect(directory.recordEpisode(small, 10)).toBe(1);
  expect(directory.recordEpisode(large, 20)).toBe(2);
  directory.close();
  const found = RunDirectory.open(directory.path).episodes();
  expect(found.map(({ number, steps, length, task }) => [number, steps, length, task])).toEqual([
    [1, 10, 2, "maze-3"],
    [2, 20, 64, "maze-3"],
  ]);
  expect(found[0].return).toEqual(small.return);
  expect(visible(found[0].load())).toEqual(visible(small));
  expect(visible(found[1].load())).toEqual(visible(large));
  expect(existsSync(join(directory.path, "episodes", "1.safetensors"))).toBe(false);
  expect(existsSync(join(directory.path, "episodes", "2.safetensors"))).toBe(true);
});

it("restores links, even in a cycle", () => {
  const directory = RunDirectory.create(join(folder.path, "b"), settings(100));
  const mine = { ...small, links: [] as { kind: string; episode: Episode }[] };
  const theirs: Episode = { ...small, task: "other", links: [{ kind: "opponent", episode: mine }] };
  mine.links.push({ kind: "opponent", episode: theirs }, { kind: "again", episode: theirs });
  directory.recordEpisode(mine);
  directory.close();
  const back = directory.episodes()[0].load();
  expect(back.links!.map((l) => [l.kind, l.episode.task])).toEqual([
    ["opponent", "other"],
    ["again", "other"],
  ]);
  expect(back.links![0].episode).toBe(back.links![1].episode);
  expect(back.links![0].episode.links![0].episode).toBe(back);
});

it("a resumed run removes episodes after its checkpoint", () => {
  const directory = RunDirectory.create(join(folder.path, "c"), settings(1000));
  const run = chaosRun(1000);
  run.advance(160);
  directory.recordEpisode(small, 160);
  directory.checkpoint(run);
  directory.recordEpisode(small, 320);
  directory.close();
  const again = RunDirectory.open(directory.path);
  again.resume(chaosRun(1000));
  expect(again.episodes().map((e) => e.steps)).toEqual([160]);
  again.close();
});

it("a resumed run reports damaged and lost episodes, and reuses no number", () => {
  const path = join(folder.path, "d");
  const directory = RunDirectory.create(path, settings(1000));
  const run = chaosRun(1000);
  const large = { ...small, columns: { observation: zeros([64, 84, 3]) } };
  run.advance(160);
  for (const episode of [small, small, large, small]) directory.recordEpisode(episode, 160);
  directory.checkpoint(run);
  directory.recordEpisode(small, 320);
  directory.close();
  for (const name of ["1.json", "3.safetensors", "5.json"]) writeFileSync(join(path, "episodes", name), "");
  for (const name of ["2.json", "4.json"]) rmSync(join(path, "episodes", name));
  const warnings: string[] = [];
  const again = RunDirectory.open(path, { warn: (m) => warnings.push(m) });
  again.resume(chaosRun(1000));
  expect(warnings).toEqual([
    expect.stringContaining("2 of its 4 episodes are missing (2.json, 4.json)"),
    expect.stringMatching(/1\.json cannot be read/),
    expect.stringMatching(/3\.json cannot be read: .*3\.safetensors has 0 bytes instead of \d+\./),
  ]);
  expect(again.recordEpisode(small, 320)).toBe(5);
  again.close();
  // A reader sees the gap too.
  warnings.length = 0;
  expect(again.episodes().map((e) => e.number)).toEqual([3, 5]);
  expect(warnings[0]).toContain("2 of its 5 episodes are missing (2.json, 4.json)");
});

it("reports a changed episode, and reads an old one without a digest", () => {
  const path = join(folder.path, "f");
  const directory = RunDirectory.create(path, settings(1000));
  for (const steps of [80, 160]) directory.recordEpisode(small, steps);
  directory.close();
  const [first, second] = ["1.json", "2.json"].map((name) => join(path, "episodes", name));
  writeFileSync(first, readFileSync(first, "utf8").replace("maze-3", "maze-4"));
  writeFileSync(second, readFileSync(second, "utf8").replace(/"sha256":"[0-9a-f]*",/, ""));
  const warnings: string[] = [];
  const seen = RunDirectory.open(path, { warn: (m) => warnings.push(m) }).episodes();
  expect(seen.map((e) => [e.number, e.load().task])).toEqual([[2, "maze-3"]]);
  expect(warnings).toEqual([expect.stringContaining("1.json: is damaged (its digest differs).")]);
});

it("a reader detects a missing last episode", () => {
  const path = join(folder.path, "e");
  const directory = RunDirectory.create(path, settings(1000));
  const run = chaosRun(1000);
  run.advance(160);
  for (const steps of [80, 160]) directory.recordEpisode(small, steps);
  directory.checkpoint(run);
  directory.close();
  rmSync(join(path, "episodes", "2.json"));
  const warnings: string[] = [];
  const seen = RunDirectory.open(path, { warn: (m) => warnings.push(m) }).episodes();
  expect(seen.map((e) => e.number)).toEqual([1]);
  expect(warnings).toEqual([expect.stringContaining("1 of its 2 episodes are missing (2.json)")]);
});

it("does not count up to a huge number in a file name", () => {
  const path = join(folder.path, "g");
  const directory = RunDirectory.create(path, settings(1000));
  directory.recordEpisode(small, 80);
  directory.close();
  for (const name of ["999999999999999.json", "99999999999999999999999.json"])
    writeFileSync(join(path, "episodes", name), readFileSync(join(path, "episodes", "1.json")));
  const warnings: string[] = [];
  const seen = RunDirectory.open(path, { warn: (m) => warnings.push(m) }).episodes();
  expect(seen.map((e) => e.number)).toEqual([1, 999999999999999]);
  expect(warnings).toEqual([
    expect.stringContaining("999999999999997 of its 999999999999999 episodes are missing"),
  ]);
});

it.each([
  { steps: "x" },
  { return: 7 },
  { return: [{}] },
  { episodes: 7 },
  { episodes: [] },
  { episodes: [{ columns: null }] },
  { episodes: [{ columns: { a: { $tensor: "none" } } }] },
])("reports a file with %j that is not an episode, even with a valid digest", (wrong) => {
  const path = join(mkdtempSync(join(folder.path, "wrong-")), "run");
  const directory = RunDirectory.create(path, settings(1000));
  directory.recordEpisode(small, 80);
  directory.close();
  const file = join(path, "episodes", "1.json");
  const { sha256: _, ...right } = JSON.parse(readFileSync(file, "utf8")) as object & { sha256: string };
  writeFileSync(file, JSON.stringify({ ...right, ...wrong }));
  const warnings: string[] = [];
  const read = () =>
    RunDirectory.open(path, { warn: (m) => warnings.push(m) })
      .episodes()
      .map((e) => e.load());
  if ("episodes" in wrong)
    expect(read).toThrow(/1\.json: it does not hold an episode|the array none is missing/);
  else expect([read(), warnings.join()]).toEqual([[], expect.stringContaining("does not hold an episode")]);
});
