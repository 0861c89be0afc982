import type { Run } from "@reins/core";
import { currentBackend } from "@reins/tensor";
import { type Progress, stepsOfAll } from "../training/progress.ts";
import type { Trained } from "../training/result.ts";
import { grouped, time, unitOf } from "./format.ts";
import { type Output, print } from "./io.ts";
import { lastLook, lineView, titleOf } from "./training-view.ts";

const here = (): Output => process.stdout;

/** Options of training that concern progress. */
interface Watched {
  readonly solved?: boolean;
  readonly onProgress?: (progress: Progress) => unknown;
}

/** Trains a run and prints progress lines, as the command line does into a pipe. */
export async function printProgress(
  run: Run,
  options: Watched & { readonly settings?: string },
  carry: (watched: Watched) => Promise<Trained>,
): Promise<Trained> {
  const { algorithm, env, steps, seed } = run.options;
  const view = lineView(here(), {
    title: titleOf([
      `${algorithm.name} on ${env.spec.id}`,
      `${grouped(steps)} ${unitOf(env)}`,
      `seed ${seed}`,
      options.settings,
      currentBackend().name,
    ]),
    untilSolved: options.solved,
  });
  let last: Progress | undefined;
  const trained = await carry({
    onProgress(progress) {
      last = progress;
      view.update(progress);
      return options.onProgress?.(progress);
    },
  });
  view.close(last && lastLook(last, trained));
  return trained;
}

/** Prints the joint progress of the runs of several seeds. */
export function seedsPrinter(seeds: number, { onProgress }: Watched): Watched["onProgress"] {
  const stepsOf = stepsOfAll();
  const began = performance.now();
  let next = 1;
  return (progress) => {
    const { budget } = progress;
    const seconds = (performance.now() - began) / 1000;
    const done = stepsOf(progress);
    if (seconds >= next || done === budget * seeds) {
      next = seconds + Math.min(30, seconds / 2);
      print(
        here(),
        `${grouped(done)} of ${grouped(budget * seeds)} ${unitOf(progress.run.options.env)} of ${seeds} agents   ${time(seconds)}`,
      );
    }
    return onProgress?.(progress);
  };
}
