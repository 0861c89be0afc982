import { didYouMean, fail } from "../errors.ts";
import type { EpisodicParts } from "./episodic.ts";
import { episodic } from "./episodic.ts";
import type { Learning } from "./learn-from.ts";
import { offPolicy } from "./off-policy.ts";
import type { OffPolicyParts } from "./off-policy-parts.ts";
import type { OnPolicyParts } from "./on-policy.ts";
import { onPolicy } from "./on-policy.ts";

type Names<P> = { readonly [K in keyof Required<P>]: true };

const learning: Names<Learning> = {
  optimiser: true,
  learningRate: true,
  clipNorm: true,
  loss: true,
  maxKl: true,
  epochs: true,
  minibatches: true,
  accumulate: true,
  normalise: true,
};

const onPolicyNames: Names<OnPolicyParts> = {
  ...learning,
  name: true,
  policy: true,
  target: true,
  rescore: true,
  learn: true,
  envs: true,
  steps: true,
  publishEvery: true,
  batchable: true,
  beside: true,
};

const offPolicyNames: Names<OffPolicyParts> = {
  name: true,
  policy: true,
  learner: true,
  replay: true,
  batch: true,
  envs: true,
  trainEvery: true,
  updates: true,
  learningStarts: true,
  round: true,
};

const episodicNames: Names<EpisodicParts> = {
  ...learning,
  name: true,
  policy: true,
  target: true,
  look: true,
  from: true,
  packing: true,
  envs: true,
  rollout: true,
  task: true,
  judge: true,
  selection: true,
  reference: true,
};

const loops = new Map<unknown, object>([
  [onPolicy, onPolicyNames],
  [offPolicy, offPolicyNames],
  [episodic, episodicNames],
]);

/**
 * Throws on a replaced part that neither the loop nor the method has, which would be ignored. Some methods pass their options on among
 * the parts: an option is not a part.
 */
export function checkPartNames(
  name: string,
  parts: object,
  { method, options, loop }: { readonly method: unknown; readonly options: object; readonly loop: unknown },
): void {
  const names = loops.get(loop);
  if (!names) return;
  const base = method as Readonly<Record<string, unknown>>;
  const unknown = Object.entries(parts).find(
    ([part, value]) =>
      !Object.hasOwn(names, part) &&
      (!Object.hasOwn(base, part) || (Object.hasOwn(options, part) && value !== base[part])),
  )?.[0];
  if (unknown === undefined) return;
  const known = Object.keys(names);
  fail(name, `there is no part ${unknown}.${didYouMean(unknown, known) || ` Parts: ${known.join(", ")}.`}`);
}
