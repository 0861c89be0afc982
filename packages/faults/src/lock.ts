import { existsSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { RunDirectory } from "@reins/core/directory";
import type { Campaign, Outcome } from "./campaign.ts";
import type { RaceResult } from "./lock-racer.ts";
import { type Racer, racer } from "./racers.ts";
import type { Random } from "./random.ts";
import type { Scratch } from "./scratch.ts";

/** Number of racing processes. */
const field = 4;

/** State of the directory before a race. */
const starts = [
  "nothing",
  "a dead process's lock",
  "a recycled number's lock",
  "an empty lock",
  "a torn lock",
] as const;

/** Lets processes race for the lock of a run directory. */
export const lock: Campaign = {
  name: "lock",
  about: `${field} processes request one run directory at once, with no lock or a stale one in it; some die while holding it, and file operations are delayed at random. A file that only one process can create detects two holders.`,
  unit: "races",
  columns: ["races", "holders", "refused", "died", "double", "unlocked", "wrong"],
  async open(scratch) {
    const racers = Array.from({ length: field }, racer);
    // One race at a time, even if trials run in parallel: there are few racers.
    let before: Promise<unknown> = Promise.resolve();
    return {
      trial(_, random) {
        const race = before.then(() => raceOnce(racers, scratch, random));
        before = race.catch(() => {});
        return race;
      },
      close: () => racers.forEach((r) => r.close()),
    };
  },
};

async function raceOnce(racers: readonly Racer[], scratch: Scratch, random: Random): Promise<Outcome> {
  const folder = scratch.fresh("lock");
  const path = join(folder, "run");
  RunDirectory.create(path, { algorithm: "a", env: "E-v0", steps: 1 }).close();
  const start = random.of(starts);
  leave(path, start);
  const at = Date.now() + 15;
  const dying = random.chance(0.1) ? random.below(field) : -1;
  const results = await Promise.all(
    racers.map((r, i) =>
      r.race({
        path,
        journal: join(folder, "holder"),
        at: at + random.below(6),
        hold: random.below(8),
        die: i === dying,
        slow: random.chance(0.7) ? 1 + random.below(1000) : 0,
      }),
    ),
  );
  const counts = { ...count(results), races: 1, unlocked: 0, wrong: 0 };
  const findings = results.flatMap((r) =>
    r?.result === "double"
      ? [`two holders: ${r.why}`]
      : r?.result === "wrong"
        ? [`unnamed error: ${r.why}`]
        : [],
  );
  if (counts.holders + counts.died + counts.double === 0) {
    counts.unlocked++;
    findings.push(`no process got the lock: ${results.map((r) => r?.why).join(" | ")}`);
  }
  const litter = dying < 0 && existsSync(join(path, "lock"));
  if (litter) findings.push(`a lock is left: ${readFileSync(join(path, "lock"), "utf8")}`);
  if (results.some((r) => r?.result === "wrong") || litter) counts.wrong++;
  scratch.remove(folder);
  return { what: `${start}${dying < 0 ? "" : ", one dies"}`, counts, findings };
}

const count = (results: readonly (RaceResult | undefined)[]) => {
  const of = (result: RaceResult["result"]) => results.filter((r) => r?.result === result).length;
  const died = results.filter((r) => r === undefined).length;
  return { holders: of("held"), refused: of("refused"), died, double: of("double") };
};

/** Creates the initial lock of a race. */
function leave(path: string, start: (typeof starts)[number]): void {
  if (start === "nothing") return;
  const holder = { host: hostname(), started: new Date(0).toISOString() };
  const file = join(path, "lock");
  // No process has a number above 2²²; this process's number with another start time is a recycled one.
  if (start === "a dead process's lock") write(file, { pid: 2 ** 22 + 1, ...holder, ticks: "1" });
  else if (start === "a recycled number's lock") write(file, { pid: process.pid, ...holder, ticks: "1" });
  else {
    writeFileSync(file, start === "an empty lock" ? "" : '{"pid":12,"ho');
    // Younger files may still be being written.
    utimesSync(file, 0, Date.now() / 1000 - 60);
  }
}

const write = (file: string, holder: object) => writeFileSync(file, `${JSON.stringify(holder)}\n`);
