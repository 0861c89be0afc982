import type { Progress, Run } from "reins";

/** Whether `--quick` is set: small settings, a few seconds. */
export const quick = process.argv.includes("--quick");

/** The value of `--seed` (default 1). */
export const seed = process.argv.includes("--seed")
  ? Number(process.argv[process.argv.indexOf("--seed") + 1])
  : 1;

/** Prints the progress of a language run every few seconds. */
export function shows(every = 5): (progress: Progress) => void {
  let next = 0;
  return ({ seconds, steps, budget, metrics }) => {
    if (seconds < next) return;
    next = seconds + every;
    const share = `${Math.floor((100 * steps) / budget)} %`.padStart(5);
    const how = metrics.episodes
      ? `reinforcement: ${percent(metrics["reward/mean"])} right, entropy ${metrics["policy/entropy"].toFixed(2)}`
      : `imitation: loss ${metrics["loss/cloning"]?.toFixed(2)}`;
    console.log(`${seconds.toFixed(0).padStart(4)} s ${share}   ${how}`);
  };
}

/** Prints the progress of a run in a terminal, on one line that is overwritten. */
export function passing(run: Run): undefined {
  if (process.stdout.isTTY) process.stdout.write(`\r\x1b[K${percent(run.progress)} …\r`);
}

/** A share in percent. */
export const percent = (share: number): string => `${Math.round(100 * share)} %`;
