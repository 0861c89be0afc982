import type { Episode } from "@reins/core";
import { stepsOf } from "@reins/core/episodes";
import { type Tensor, tensor } from "@reins/tensor";
import { inverseOf } from "../generation/row-sampling.ts";
import type { SamplingTrace } from "../generation/sampling-support.ts";

/** How the chosen token of a step was sampled. */
export interface SampledStep {
  readonly kept?: Int32Array;
  readonly temperature?: number;
}

/**
 * The column `trace` of an episode: kept sets, where a step has one or all must have one (`words`), and temperatures,
 * where a step has its own. Undefined where no step needs either.
 */
export function samplingTrace(
  steps: readonly SampledStep[],
  words = steps.find((s) => s.kept)?.kept?.length,
): { [name: string]: Tensor } | undefined {
  const own = steps.some((s) => s.temperature !== undefined);
  if (words === undefined && !own) return undefined;
  return {
    ...(words === undefined ? {} : { kept: keptSets(steps, words) }),
    ...(own ? { inverseTemperature: inverseTemperatures(steps) } : {}),
  };
}

/** Gives all episodes of a batch kept sets and temperatures if one of them has some. */
export function alikeTraces(episodes: readonly Episode[], words: number): readonly Episode[] {
  const traces = episodes.map(({ columns }) => (columns.trace ?? {}) as SamplingTrace);
  const kept = traces.some((t) => t.kept);
  const temperatures = traces.some((t) => t.inverseTemperature);
  return episodes.map((episode, i) => {
    const { kept: own, inverseTemperature, ...rest } = traces[i];
    if ((!kept || own) && (!temperatures || inverseTemperature)) return episode;
    const free: SampledStep[] = Array.from({ length: stepsOf(episode) }, () => ({}));
    const trace = {
      ...(kept ? { kept: own ?? keptSets(free, words) } : {}),
      ...(temperatures ? { inverseTemperature: inverseTemperature ?? inverseTemperatures(free) } : {}),
      ...rest,
    };
    return { ...episode, columns: { ...episode.columns, trace } };
  });
}

/** Kept sets, i32 [steps, words]; all bits are set where nothing restricted the choice. */
function keptSets(steps: readonly SampledStep[], words: number): Tensor {
  const data = new Int32Array(steps.length * words).fill(-1);
  steps.forEach(({ kept }, t) => {
    if (kept) data.set(kept, t * words);
  });
  return tensor(data, { shape: [steps.length, words], dtype: "i32" });
}

/** 1 / temperature of each step, f32 [steps]; 0 stands for the policy's temperature. */
const inverseTemperatures = (steps: readonly SampledStep[]): Tensor =>
  tensor(Float32Array.from(steps, (s) => inverseOf(s.temperature ?? 0)));
