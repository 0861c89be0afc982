import type { Progress, Run } from "reins";

/** Whether only a glance is wanted: everything small, a few seconds. */
export const quick = process.argv.includes("--quick");

/** What `--seed` says: the same gives the same run. */
export const seed = process.argv.includes("--seed")
  ? Number(process.argv[process.argv.indexOf("--seed") + 1])
  : 1;

/** Prints how a run in words goes, every few seconds. */
export function shows(every = 5): (progress: Progress) => void {
  let next = 0;
  return ({ seconds, steps, budget, metrics }) => {
    if (seconds < next) return;
    next = seconds + every;
    const share = `${Math.floor((100 * steps) / budget)} %`.padStart(5);
    const how = metrics.episodes
      ? `reinforced: ${percent(metrics["reward/mean"])} right, entropy ${metrics["policy/entropy"].toFixed(2)}`
      : `imitating: loss ${metrics["loss/cloning"]?.toFixed(2)}`;
    console.log(`${seconds.toFixed(0).padStart(4)} s ${share}   ${how}`);
  };
}

/** Says in a terminal how far a run has come, in a line that the next one takes the place of. */
export function passing(run: Run): undefined {
  if (process.stdout.isTTY) process.stdout.write(`\r\x1b[K${percent(run.progress)} …\r`);
}

/** A share as people read it. */
export const percent = (share: number): string => `${Math.round(100 * share)} %`;
