import { fail } from "@reins/core";
import { type Tensor, tensor } from "@reins/tensor";
import { inverseOf } from "../generation/row-sampling.ts";
import type { Sight } from "./prompt.ts";

/** How the token that a step chose was sampled. */
export interface SampledStep {
  readonly kept?: Int32Array;
  readonly temperature?: number;
}

/** The column `trace` of an episode: kept sets and temperatures of its steps, or undefined where no step needs any. */
export function samplingTrace(
  steps: readonly SampledStep[],
  { words = steps.find((s) => s.kept)?.kept?.length, temperature }: Sight,
): { [name: string]: Tensor } | undefined {
  const other = steps.find((s) => s.temperature !== undefined)?.temperature;
  if (temperature === undefined && other !== undefined)
    fail(
      "textEpisode",
      `tokens were sampled at temperature ${other}, and the temperature of the others is not known. Set \`temperature\` of the third argument to the policy's.`,
    );
  if (words === undefined && temperature === undefined) return undefined;
  return {
    ...(words === undefined ? {} : { kept: keptSets(steps, words) }),
    ...(temperature === undefined ? {} : { inverseTemperature: inverseTemperatures(steps, temperature) }),
  };
}

/** Kept sets, i32 [steps, words]; all bits are set where nothing restricted the choice. */
function keptSets(steps: readonly SampledStep[], words: number): Tensor {
  const data = new Int32Array(steps.length * words).fill(-1);
  steps.forEach(({ kept }, t) => {
    if (kept) data.set(kept, t * words);
  });
  return tensor(data, { shape: [steps.length, words], dtype: "i32" });
}

const inverseTemperatures = (steps: readonly SampledStep[], usual: number): Tensor =>
  tensor(Float32Array.from(steps, (s) => inverseOf(s.temperature ?? usual)));
