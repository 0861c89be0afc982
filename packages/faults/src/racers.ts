import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Race, RaceResult } from "./lock-racer.ts";
import { built, environment, owned } from "./process.ts";

/** A process that takes part in races; a dead one is replaced. */
export interface Racer {
  readonly pid: number;
  /** Undefined if it died in the race. */
  race(race: Race): Promise<RaceResult | undefined>;
  close(): void;
}

/** Starts a racer. */
export function racer(): Racer {
  let child: ChildProcess | undefined;
  let answer: ((ran: RaceResult | undefined) => void) | undefined;
  const start = () => {
    const made = owned(
      spawn(process.execPath, ["--import", built("inject"), built("lock-racer")], {
        env: environment({}),
        stdio: ["pipe", "pipe", "inherit"],
      }),
    );
    createInterface({ input: made.stdout! }).on("line", (line) => answer?.(JSON.parse(line) as RaceResult));
    made.stdin!.on("error", () => {});
    made.on("exit", () => {
      if (child !== made) return;
      child = undefined;
      answer?.(undefined);
    });
    return made;
  };
  child = start();
  return {
    get pid() {
      return child?.pid ?? 0;
    },
    race(race) {
      child ??= start();
      return new Promise((done) => {
        const clock = setTimeout(() => child?.kill("SIGKILL"), 60_000);
        answer = (ran) => {
          clearTimeout(clock);
          answer = undefined;
          done(ran);
        };
        child!.stdin!.write(`${JSON.stringify(race)}\n`);
      });
    },
    close() {
      const old = child;
      child = undefined;
      old?.kill("SIGKILL");
    },
  };
}
