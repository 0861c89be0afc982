import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { crc32 } from "node:zlib";
import { ppo } from "@reins/algorithms";
import { expect, it, vi } from "vitest";
import { folder } from "../cli/testing.ts";
import { resume } from "../load.ts";
import { train } from "../train.ts";
import type { Control } from "./callbacks.ts";
import type { SinkRun } from "./sink.ts";
import { wandb } from "./sinks.ts";
import { wandbFile } from "./wandb-file.ts";

vi.stubEnv("REINS_BACKEND", "wasm");
vi.stubEnv("REINS_THREADS", "1");

/** A Python interpreter with wandb, if any. */
const python = process.env.REINS_PYTHON ?? "python3";
const reader = fileURLToPath(new URL("./testing-wandb.py", import.meta.url));
const readable = (() => {
  try {
    execFileSync(python, ["-c", "import wandb.proto.wandb_internal_pb2"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

interface Item {
  readonly nested_key?: readonly string[];
  readonly key?: string;
  readonly value_json: string;
}
interface WandbRecord {
  readonly num: string;
  readonly run?: { run_id: string; project: string; display_name: string; config: { update: Item[] } };
  readonly history?: { item: Item[]; step?: { num: string } };
  readonly exit?: { exit_code?: number };
}
const read = (file: string) =>
  execFileSync(python, [reader, file], { encoding: "utf8" })
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as WandbRecord);
/** The only run of a folder. */
function fileIn(path: string): string {
  const [name, ...more] = readdirSync(path);
  expect([name, more]).toEqual([expect.stringMatching(/^offline-run-\d{8}_\d{6}-[0-9a-f]{8}$/), []]);
  return join(path, name, `run-${name.slice(-8)}.wandb`);
}
const rowOf = ({ history }: WandbRecord) =>
  Object.fromEntries((history?.item ?? []).map((i) => [i.nested_key?.join("."), Number(i.value_json)]));

const run: SinkRun = {
  name: "run",
  config: { algorithm: "ppo", options: { clip: 0.2 }, created: "2026-01-02T03:04:05.678Z" },
  rows: [],
};

/** The records of a file, with checksums verified. */
function pieces(file: string): { kind: number; length: number }[] {
  const data = readFileSync(file);
  expect([...data.subarray(0, 7)]).toEqual([...Buffer.from(":W&B"), 0xe1, 0xbe, 0]);
  const found: { kind: number; length: number }[] = [];
  for (let at = 7; at < data.length; ) {
    const room = 32_768 - (at % 32_768);
    if (room < 7) {
      at += room;
      continue;
    }
    const [sum, length, kind] = [data.readUInt32LE(at), data.readUInt16LE(at + 4), data[at + 6]];
    expect(length).toBeLessThanOrEqual(room - 7);
    expect(crc32(Buffer.concat([Buffer.of(kind), data.subarray(at + 7, at + 7 + length)]))).toBe(sum);
    found.push({ kind, length });
    at += 7 + length;
  }
  return found;
}

it("writes records in blocks, and splits long ones", () => {
  const at = folder();
  const long = Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`metric/${i}`, i]));
  const file = wandbFile(at, run);
  for (let step = 0; step < 3; step++) file.row({ step, ...long });
  file.close?.("finished");
  const kinds = pieces(fileIn(at)).map((p) => p.kind);
  // A header, the run, a summary and a row per row, the end.
  expect(kinds.filter((k) => k === 1 || k === 4).length).toBe(2 + 3 * 2 + 1);
  expect(kinds.filter((k) => k === 3).length).toBeGreaterThan(0);
  // A resumed run rewrites its file.
  const again = wandbFile(at, run);
  again.close?.("stopped");
  expect(pieces(fileIn(at)).length).toBe(3);
});

it.skipIf(!readable)("W&B's own messages parse the file", { timeout: 60_000 }, async () => {
  const at = folder();
  const [directory, path] = [join(at, "run"), join(at, "wandb")];
  const options = { env: "CartPole-v1", steps: 2048, evalEpisodes: 2, evalEvery: 512, directory };
  const algorithm = ppo({ envs: 4, steps: 32, hidden: [8] });
  const stopping = { onUpdate: (_: unknown, c: Control) => void (c.steps >= 1000 && c.stop()) };
  await train({ ...options, algorithm, callbacks: stopping, sinks: [wandb(path)] });
  await resume(directory, { sinks: [wandb(path)] });
  const records = read(fileIn(path));
  expect(records.map((r) => Number(r.num))).toEqual(records.map((_, i) => i + 1));
  const about = records.find((r) => r.run)?.run;
  expect(about).toMatchObject({ project: "reins", display_name: "run" });
  expect(about?.config.update.find((u) => u.key === "algorithm")?.value_json).toBe('"ppo"');
  const rows = records.filter((r) => r.history).map(rowOf);
  const kept = readFileSync(join(directory, "metrics.jsonl"), "utf8").trim().split("\n");
  const steps = kept.map((line) => (JSON.parse(line) as { step: number }).step);
  expect(rows.map((r) => r._step)).toEqual([...new Set(steps)]);
  expect(rows.some((r) => r["evaluation/return"] > 0 && r["return/mean"] > 0)).toBe(true);
  expect(records.at(-1)?.exit).toEqual({});
});
