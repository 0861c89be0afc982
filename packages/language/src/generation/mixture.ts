import { fail } from "@reins/core";
import type { Gpt, GptParams } from "@reins/nn";
import { add, mul } from "@reins/tensor";

/** The weights of a mixture: those of the policy and of the reference policy. */
type MixtureParams = { readonly policy: GptParams; readonly reference: GptParams };

/** The weights of two policies as those of their {@link geometricMixture}. */
export const mixed = (policy: GptParams, reference: GptParams): GptParams =>
  ({ policy, reference }) satisfies MixtureParams as unknown as GptParams;

/**
 * A model for generation that samples each token from the geometric mixture of two policies, π^(1 - share) π₀^share up
 * to a constant: its logits are the weighted mean of theirs. Each token is normalised by itself, so a text does not
 * have the normalised mixture of the probabilities of whole texts (as in Munos et al., 2023).
 */
export function geometricMixture(model: Gpt, share: number): Gpt {
  if (!(share >= 0 && share <= 1)) fail("mixture", `the weight is ${share}. Choose a number from 0 to 1.`);
  return {
    ...model,
    start(batch, options) {
      const [policy, reference] = [model.start(batch, options), model.start(batch, options)];
      return { caches: [...policy.caches, ...reference.caches], position: policy.position };
    },
    step(params, tokens, { caches, position }, options) {
      const { policy, reference } = params as unknown as MixtureParams;
      const half = caches.length / 2;
      const own = model.step(policy, tokens, { caches: caches.slice(0, half), position }, options);
      const other = model.step(reference, tokens, { caches: caches.slice(half), position }, options);
      return {
        output: add(mul(own.output, 1 - share), mul(other.output, share)),
        state: { caches: [...own.state.caches, ...other.state.caches], position: own.state.position },
      };
    },
  };
}
