import { type AlgorithmContext, fail, type LossTerm } from "@reins/core";
import * as losses from "@reins/core/losses";
import { criticParts } from "../post-training/critic-parts.ts";
import type { PpoSettings } from "./options.ts";

/** PPO on language tasks: batches of `envs` completions, with the reward at the end of each. */
export function textParts(o: PpoSettings, context: AlgorithmContext, name: string) {
  const refuse = (option: string) =>
    fail(
      name,
      `${option} needs a stepped environment, and ${context.spec.id} is not one. Leave out the option.`,
    );
  if (o.values !== "plain") refuse("the values option");
  if (o.selfImitation > 0) refuse("selfImitation");
  return {
    ...criticParts(name, { ...o, texts: o.envs }, context),
    reference: { klEvery: o.klEvery },
  };
}

/** The value loss on completions: of every token, or of the first token of each turn. */
export const textValueError = (o: PpoSettings, error: LossTerm): LossTerm =>
  o.credit === "turn" ? losses.byColumn("opens", error) : error;
