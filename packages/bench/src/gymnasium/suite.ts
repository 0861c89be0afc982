import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readArguments } from "../arguments.ts";
import { python } from "../side.ts";
import { type Case, cases } from "./cases.ts";
import { digested } from "./fixture.ts";
import { type Episode, replay } from "./replay.ts";

export const gymnasiumHelp = `npm run bench -- gymnasium [options]

Runs whole episodes in Gymnasium, replays their actions in Reins, and compares both bit for bit.

  --seeds n       episodes of each environment (default: 250)
  --seed n        the first seed (default: the current time)
  --only text     cases whose name contains this text
  --write file    also write the episodes in the format of packages/envs/fixtures/episodes.json
  --help          print this help

REINS_PYTHON: Python interpreter with gymnasium (default: python3). See packages/bench/peers/README.md.`;

const peer = fileURLToPath(new URL("../../peers/gymnasium_episodes.py", import.meta.url));

/** Compares every case and prints a row for each. */
export function gymnasiumSuite(args: readonly string[]): void {
  const { values } = readArguments(args, ["--seeds", "--seed", "--only", "--write"], []);
  const seeds = Number(values.get("--seeds") ?? 250);
  const seed = Number(values.get("--seed") ?? Math.floor(Date.now() / 1000));
  if (!(seeds >= 1) || !(seed >= 0)) throw new Error("--seeds and --seed must be whole numbers.");
  const chosen = cases.filter(({ name }) => name.includes(values.get("--only") ?? ""));
  if (!chosen.length) throw new Error(`--only ${values.get("--only")} matches no case.`);
  process.stdout.write(`seeds ${seed} to ${seed + seeds - 1}\n`);
  process.stdout.write(
    `${line("", "steps", "equal episodes", "equal ends", "first differing", "largest")}\n`,
  );
  const kept: object[] = [];
  for (const one of chosen) {
    const { about, episodes } = played(one, seed, seeds);
    const { steps, equal, equalEnds, firstDifference, largestDifference } = replay(one, episodes);
    if (about.otherSines)
      process.stdout.write(`NumPy ${about.numpy} does not use the C library's sines on this processor.\n`);
    const of = (n: number) => `${n}/${seeds}`;
    process.stdout.write(
      `${line(one.name, String(steps), of(equal), of(equalEnds), String(firstDifference ?? "none"), largestDifference.toExponential(1))}\n`,
    );
    if (equal < seeds) process.exitCode = 1;
    kept.push(...episodes.map((e) => digested(one, e)));
  }
  const file = values.get("--write");
  if (file) writeFileSync(file, `${JSON.stringify(kept)}\n`);
}

interface About {
  readonly gymnasium: string;
  readonly numpy: string;
  readonly otherSines: number;
}

/** Runs a case in Gymnasium. */
function played(one: Case, seed: number, seeds: number): { about: About; episodes: Episode[] } {
  const folder = mkdtempSync(join(tmpdir(), "reins-gymnasium-"));
  try {
    const [plan, out] = [join(folder, "cases.json"), join(folder, "episodes.jsonl")];
    writeFileSync(plan, JSON.stringify({ cases: [one], seed, seeds }));
    const { status, stderr } = spawnSync(python(), [peer, plan, out], { encoding: "utf8" });
    if (status !== 0)
      throw new Error(
        `${python()} failed on ${one.name}: ${stderr?.trim().split("\n").at(-1)}. Set REINS_PYTHON to an interpreter with gymnasium.`,
      );
    const [first, ...rest] = readFileSync(out, "utf8").trimEnd().split("\n");
    return { about: JSON.parse(first), episodes: rest.map((l) => readEpisode(JSON.parse(l), one)) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const continuous = (id: string) => /Continuous|Pendulum/.test(id);
const measured = (id: string) => /CartPole|MountainCar|Acrobot|Pendulum/.test(id);

function readEpisode(e: { [name: string]: string } & { seed: number }, { id }: Case): Episode {
  const bytes = (text: string) => new Uint8Array(Buffer.from(text, "base64"));
  const actions = bytes(e.actions);
  const observations = bytes(e.observations).buffer;
  return {
    seed: e.seed,
    actions: continuous(id) ? new Float32Array(actions.buffer) : actions,
    observations: measured(id) ? new Float32Array(observations) : new Int32Array(observations),
    rewards: new Float64Array(bytes(e.rewards).buffer),
    ends: bytes(e.ends),
  };
}

function line(name: string, ...cells: string[]): string {
  return name.padEnd(48) + cells.map((cell) => cell.padStart(16)).join("");
}
