import {
  type Context,
  copyTree,
  type EpisodicParts,
  episodic,
  type Process,
  withReference,
} from "@reins/core";
import { type Tree, tensor, treeMap } from "@reins/tensor";

/** A process of these parts; with a divergence in it, one that is tied to the weights it begins with. */
export function startGroups(
  parts: EpisodicParts,
  tied: boolean,
  context: Context,
): Omit<Process, "settings"> {
  if (!tied) return episodic(parts, context);
  const reference = { weights: {} as Tree, taken: Int32Array.of(0) };
  const process = episodic(
    { ...parts, policy: withReference(parts.policy, () => reference.weights) },
    context,
  );
  const { weights } = process.acting!;
  reference.weights = treeMap((t) => tensor(t.data.slice(), { shape: t.shape, dtype: t.dtype }), weights);
  Object.assign(process.parts, { reference });
  const { step } = process;
  return Object.assign(process, {
    // What it begins with is known at the first step: an earlier phase may have left its weights.
    step() {
      if (!reference.taken[0]) copyTree(reference.weights, weights);
      reference.taken[0] = 1;
      return step();
    },
  });
}
