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

Plays whole episodes in Gymnasium and the same actions here, and says how far they agree, bit for bit.

  --seeds n       episodes of each environment (default: 250)
  --seed n        the first seed (default: one that nobody has used: the time)
  --only text     cases whose name has this in it
  --write file    also writes the episodes as packages/envs/fixtures/episodes.json has them
  --help          this text

REINS_PYTHON names a Python interpreter that has gymnasium (see packages/bench/peers/README.md); python3 otherwise.`;

const peer = fileURLToPath(new URL("../../peers/gymnasium_episodes.py", import.meta.url));

/** Compares every case and prints a row for each. */
export function gymnasiumSuite(args: readonly string[]): void {
  const { values } = readArguments(args, ["--seeds", "--seed", "--only", "--write"], []);
  const seeds = Number(values.get("--seeds") ?? 250);
  const seed = Number(values.get("--seed") ?? Math.floor(Date.now() / 1000));
  if (!(seeds >= 1) || !(seed >= 0)) throw new Error("--seeds and --seed are whole numbers.");
  const chosen = cases.filter(({ name }) => name.includes(values.get("--only") ?? ""));
  if (!chosen.length) throw new Error(`--only ${values.get("--only")} fits no case.`);
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

/** Lets Gymnasium play a case. */
function played(one: Case, seed: number, seeds: number): { about: About; episodes: Episode[] } {
  const folder = mkdtempSync(join(tmpdir(), "reins-gymnasium-"));
  try {
    const [plan, out] = [join(folder, "cases.json"), join(folder, "episodes.jsonl")];
    writeFileSync(plan, JSON.stringify({ cases: [one], seed, seeds }));
    const { status, stderr } = spawnSync(python(), [peer, plan, out], { encoding: "utf8" });
    if (status !== 0)
      throw new Error(
        `${python()} did not play ${one.name}: ${stderr?.trim().split("\n").at(-1)}. REINS_PYTHON names an interpreter that has gymnasium.`,
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
