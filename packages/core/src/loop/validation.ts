import { cast, neg } from "@reins/tensor";
import { type AlgorithmContext, type Metrics, metricsPart, type Started } from "../algorithm.ts";
import type { Episode } from "../episode.ts";
import { whenReady } from "../plan.ts";
import type { Validation } from "../stage.ts";
import { stream } from "../stream.ts";
import { EarlyStopping } from "./early-stopping.ts";
import { episodeScores } from "./episode-scores.ts";

/** How often imitation is validated, and on how many examples. */
export interface ValidationOptions {
  /** Held-out examples. */
  readonly examples: number;
  /** Updates between measurements. */
  readonly every: number;
  /** Measurements in a row without a lower loss after which training ends with the weights of the lowest one (default 0: never). */
  readonly patience?: number;
}

/** Whether a validation follows an update: every `every` updates, and before that at powers of two. */
const isDue = (updates: number, every: number) =>
  updates % every === 0 || (updates < every && Number.isInteger(Math.log2(updates)));

/** Ends a process once its early stopping says so. */
function endWith(process: Started, stopping: EarlyStopping): void {
  const before = Object.getOwnPropertyDescriptor(process, "finished");
  const ended = () => (before?.get ? Boolean(before.get.call(process)) : (before?.value ?? false));
  Object.defineProperty(process, "finished", {
    get: () => stopping.stopped || ended(),
    enumerable: true,
    configurable: true,
  });
}

/**
 * Adds validation to imitation: loss, accuracy and entropy on held-out examples, after updates 1, 2, 4 and so on,
 * every `every` updates, and at the end. In between, metrics keep their last values. The examples are a function of the seed alone, so a
 * resumed run has the same ones; training neither sees them nor depends on them.
 */
export function validated(
  process: Started,
  { policy, episodes, measure: measured }: Validation,
  { examples, every, patience = 0 }: ValidationOptions,
  { seed, budget, statistics }: AlgorithmContext,
): Started {
  const score =
    measured ??
    episodeScores(policy, "teacher", ({ logProb, entropy, extra }) => ({
      loss: neg(logProb),
      entropy,
      ...(extra?.likeliest ? { accuracy: cast(extra.likeliest, "f32") } : {}),
    }));
  const last: Metrics = {};
  let held: readonly Episode[] | undefined;
  const measure = (some: readonly Episode[]) => {
    held = some;
    if (some.length === 0) return;
    const { weights } = process.acting!;
    for (const [name, x] of Object.entries(score(weights, some))) last[`validation/${name}`] = x;
    last["validation/examples"] = some.length;
    for (const [name, x] of Object.entries(last)) statistics.record(name, x);
    stopping?.note(last["validation/loss"]);
  };
  const { step } = process;
  const stopping = patience > 0 ? new EarlyStopping(process.acting!.weights, patience) : undefined;
  Object.assign(process.parts, { validation: metricsPart(last), ...(stopping ? { stopping } : {}) });
  if (stopping) endWith(process, stopping);
  return Object.assign(process, {
    step: () =>
      whenReady(step(), (metrics) => {
        const { updates } = metrics;
        const isLast = process.steps >= budget || process.finished;
        if (!isDue(updates, every) && !isLast) return Object.assign(metrics, last);
        const ready = held ?? episodes(examples, stream(seed, "validation"));
        return whenReady(ready, (some) => {
          measure(some);
          return Object.assign(metrics, last);
        });
      }),
  });
}
