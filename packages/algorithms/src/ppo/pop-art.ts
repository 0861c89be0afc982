import { learnFrom } from "@reins/core/loops";
import { updateReturnScale } from "@reins/core/policies";
import type { Tensor } from "@reins/tensor";
import type { PpoSettings } from "./options.ts";

/** PopArt: updates the critic's scale from the batch's returns before the critic learns from them. */
export const withReturnScale =
  (o: PpoSettings): typeof learnFrom =>
  (learning, batch) => {
    const { learned } = batch;
    const { return: returns, alive } = batch.columns as { readonly return: Tensor; readonly alive?: Tensor };
    const weights = updateReturnScale(learned.weights, returns, o.popArtRate, alive);
    return learnFrom(learning, { ...batch, learned: { ...learned, weights } });
  };
