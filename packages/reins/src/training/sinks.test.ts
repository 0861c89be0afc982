import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ppo } from "@reins/algorithms";
import { expect, it, vi } from "vitest";
import { folder, reins } from "../cli/testing.ts";
import { resume } from "../load.ts";
import { type TrainOptions, train } from "../train.ts";
import type { MetricRow, Sink } from "./sink.ts";
import { csv } from "./sinks.ts";

vi.stubEnv("REINS_BACKEND", "wasm");
vi.stubEnv("REINS_THREADS", "1");

const small: TrainOptions = {
  algorithm: ppo({ envs: 4, steps: 32, hidden: [8] }),
  env: "CartPole-v1",
  steps: 2048,
  evalEpisodes: 2,
  evalEvery: 512,
};
const read = (path: string) => readFileSync(path, "utf8");
const kept = (directory: string) =>
  read(join(directory, "metrics.jsonl"))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as MetricRow);

/** The rows of a CSV table without empty cells. */
function table(path: string): { readonly [name: string]: number }[] {
  const [head, ...lines] = read(path).trim().split("\n");
  const names = head.split(",");
  return lines.map((line) => {
    const cells = line.split(",");
    expect(cells.length).toBe(names.length);
    const there = names.map((name, i) => [name, cells[i]]).filter(([, cell]) => cell !== "");
    return Object.fromEntries(there.map(([name, cell]) => [name, Number(cell)]));
  });
}
/** NaN leaves an empty cell. */
const numbers = (rows: readonly MetricRow[]) =>
  rows.map((row) => Object.fromEntries(Object.entries(row).filter(([, v]) => Number.isFinite(v))));

it("a CSV file has the rows of the run directory, with later metrics as columns", async () => {
  const at = folder();
  const directory = join(at, "run");
  const path = join(at, "metrics.csv");
  const late = {
    onUpdate: (_: unknown, c: { steps: number; log(n: string, v: number): void }) => {
      if (c.steps > 1024) c.log('mine/"late", indeed', c.steps);
    },
  };
  await train({ ...small, directory, callbacks: late, sinks: [csv(path)] });
  expect(read(path).split("\n")[0]).toMatch(/^step,.*,"mine\/""late"", indeed"$/);
  const rows = read(path).trim().split("\n").length - 1;
  expect(rows).toBe(kept(directory).length);
});

it("a sink receives the same rows without a directory", async () => {
  const at = folder();
  const directory = join(at, "run");
  await train({ ...small, directory, sinks: [csv(join(at, "kept.csv"))] });
  await train({ ...small, sinks: [csv(join(at, "new/free.csv"))] });
  expect(table(join(at, "kept.csv"))).toEqual(numbers(kept(directory)));
  expect(read(join(at, "new/free.csv"))).toBe(read(join(at, "kept.csv")));
});

it("a resumed run writes the same CSV file", async () => {
  const at = folder();
  const [whole, parted] = ["whole", "parted"].map((name) => join(at, name));
  await train({ ...small, directory: whole, sinks: [csv(`${whole}.csv`)] });
  const stopping = {
    onUpdate: (_: unknown, c: { steps: number; stop(): void }) => void (c.steps >= 1000 && c.stop()),
  };
  await train({ ...small, directory: parted, callbacks: stopping, sinks: [csv(`${parted}.csv`)] });
  expect(table(`${parted}.csv`).length).toBeLessThan(table(`${whole}.csv`).length);
  await resume(parted, { sinks: [csv(`${parted}.csv`)] });
  expect(read(`${parted}.csv`)).toBe(read(`${whole}.csv`));
});

it("a custom sink receives the run, every row and the outcome", async () => {
  const rows: MetricRow[] = [];
  const ends: string[] = [];
  let config: unknown;
  const mine: Sink = (run) => {
    config = run.config;
    return { row: (row) => void rows.push(row), close: (ended) => void ends.push(ended) };
  };
  await train({ ...small, sinks: [mine] });
  expect(config).toMatchObject({ algorithm: "ppo", env: "CartPole-v1", steps: 2048 });
  expect(rows.at(-1)?.step).toBe(2048);
  expect(rows.some((row) => "evaluation/return" in row)).toBe(true);
  const broken = {
    onUpdate: () => {
      throw new Error("mine");
    },
  };
  await expect(train({ ...small, callbacks: broken, sinks: [mine] })).rejects.toThrow("mine");
  expect(ends).toEqual(["finished", "crashed"]);
});

it("refuses values that are not sinks", async () => {
  // @ts-expect-error: a path is not a sink.
  await expect(train({ ...small, sinks: ["metrics.csv"] })).rejects.toThrow(
    'is not a sink. Pass a function such as csv("metrics.csv")',
  );
});

it("is available as --csv", async () => {
  const path = join(folder(), "metrics.csv");
  const flags = [
    "--steps",
    "512",
    "--envs",
    "4",
    "--ppo-steps",
    "32",
    "--hidden",
    "8",
    "--eval-episodes",
    "0",
  ];
  const { code } = await reins(
    "train",
    "ppo",
    "CartPole-v1",
    ...flags,
    "--no-save",
    "--quiet",
    "--csv",
    path,
  );
  expect([code, existsSync(path)]).toEqual([0, true]);
});

it("a CSV file never replaces a file of something else", async () => {
  const path = join(folder(), "data.csv");
  writeFileSync(path, '{"prompt": "1+1="}\n');
  await expect(train({ ...small, sinks: [csv(path)] })).rejects.toThrow(
    `${path}: the file exists and is not a table of metrics. Choose another path.`,
  );
  expect(read(path)).toBe('{"prompt": "1+1="}\n');
  writeFileSync(path, "");
  await train({ ...small, sinks: [csv(path)] });
  await train({ ...small, sinks: [csv(path)] });
  expect(table(path).length).toBeGreaterThan(0);
});
