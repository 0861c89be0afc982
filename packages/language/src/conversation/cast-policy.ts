import type { Scoring } from "@reins/core";
import type { GptParams } from "@reins/nn";
import { eq, random, type Tensor, type Tree, where } from "@reins/tensor";
import type { Family } from "../tasks/family.ts";
import { own } from "./cast.ts";

/** Who has weights in training: the model first, then the roles that have some of their own. One where no role has. */
export const weightsIn = ({ roles = {} }: Pick<Family, "roles">): readonly string[] => [
  own,
  ...Object.keys(roles).filter((name) => roles[name].by === "own"),
];

/** The weights by which somebody speaks. */
export function weightsOf(family: Pick<Family, "roles">, weights: Tree, role = own): GptParams {
  const names = weightsIn(family);
  if (names.length === 1) return weights as GptParams;
  return (weights as { [name: string]: Tree })[names.includes(role) ? role : own] as GptParams;
}

/**
 * Several policies that learn together, each from its own turns: weights by name. The column `trace.speaker` says whose a step is, as a
 * place in `names`; each scores all texts, and the others' have no part in its gradient.
 */
export function castPolicy(names: readonly string[], policy: Scoring): Scoring {
  return {
    ...policy,
    init: (key) => {
      const keys = random.splitKey(key, names.length);
      return Object.fromEntries(names.map((name, i) => [name, policy.init(keys[i])]));
    },
    score(weights, moment) {
      const { speaker, ...trace } = moment.trace as { speaker: Tensor };
      const all = names.map((name, i) =>
        policy.score((weights as { [name: string]: Tree })[name], {
          ...moment,
          trace,
          ...(moment.key ? { key: random.foldKey(moment.key, i) } : {}),
        }),
      );
      const chosen = (of: (scored: (typeof all)[number]) => Tensor) =>
        all.map(of).reduce((one, other, i) => where(eq(speaker, i), other, one));
      return {
        logProb: chosen((s) => s.logProb),
        entropy: chosen((s) => s.entropy),
        ...(all[0].value ? { value: chosen((s) => s.value!) } : {}),
        ...(all[0].extra?.likeliest ? { extra: { likeliest: chosen((s) => s.extra!.likeliest) } } : {}),
      };
    },
  };
}
