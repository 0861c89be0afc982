import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import type { Job, Kept } from "./trial.ts";

/** Outcomes as they come, so that an interrupted measurement goes on where it was. Those of other code are forgotten. */
export class Journal {
  private readonly known = new Map<string, Kept>();

  private readonly path: string;
  private readonly hash: string;

  constructor(path: string, hash: string) {
    this.path = path;
    this.hash = hash;
    if (!existsSync(path)) return;
    for (const line of readFileSync(path, "utf8").split("\n")) {
      try {
        const { hash: of, job, outcome } = JSON.parse(line) as { hash: string; job: Job; outcome: Kept };
        if (of === hash) this.known.set(keyOf(job), outcome);
      } catch {
        // The last line may be torn.
      }
    }
  }

  find(job: Job): Kept | undefined {
    return this.known.get(keyOf(job));
  }

  add(job: Job, outcome: Kept): void {
    this.known.set(keyOf(job), outcome);
    mkdirSync(dirname(this.path), { recursive: true });
    appendFileSync(this.path, `${JSON.stringify({ hash: this.hash, job, outcome })}\n`);
  }

  remove(): void {
    rmSync(this.path, { force: true });
  }
}

const keyOf = ({ side, seed, settings, quick }: Job) => JSON.stringify([side, seed, settings, quick]);
