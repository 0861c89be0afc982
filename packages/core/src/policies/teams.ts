import { eq, expandDims, or, random, type Tensor, type Tree, treeMap, where } from "@reins/tensor";
import type { EnvSpec } from "../env.ts";
import { fail } from "../errors.ts";
import type { Act, Policy, View } from "../policy.ts";

/**
 * Several policies as one, each playing its own slots of an environment with several agents (`spec.agents.policies` says which). They
 * learn side by side: a row's gradient reaches only the policy that plays it. All must give the same kind of action.
 */
export function teams(
  spec: EnvSpec,
  policies: { readonly [name: string]: Policy },
): Policy<{ [name: string]: Tree }, { [name: string]: Tree }> {
  const names = Object.keys(policies);
  const slots =
    spec.agents?.policies ??
    fail(spec.id, "does not say which policy plays which agent: spec.agents.policies is missing.");
  const missing = slots.find((n) => !(n in policies));
  if (missing !== undefined)
    fail(spec.id, `wants a policy called ${missing}; there are ${names.join(", ")}.`);

  /** Rows of a policy, from its own result; of the others, from what was chosen so far. */
  const merge = (view: View, results: readonly Tree[]): Tree => {
    const agent = view.agent ?? fail(spec.id, "the view does not say which agent a row belongs to.");
    return results.slice(1).reduce((chosen: Tree, result, i) => {
      const own = slots
        .flatMap((n, slot) => (n === names[i + 1] ? [eq(agent, slot)] : []))
        .reduce((a, b) => or(a, b));
      return treeMap((a, b) => where(widen(own, a), b, a), chosen, result);
    }, results[0]);
  };
  const each = <T>(f: (policy: Policy, name: string, i: number) => T) =>
    names.map((n, i) => f(policies[n], n, i));
  return {
    likelihood: each((p) => p.likelihood).find((l) => l !== "exact") ?? "exact",
    init: (key) =>
      Object.fromEntries(
        random.splitKey(key, names.length).map((k, i) => [names[i], policies[names[i]].init(k)]),
      ),
    start: (rows) => Object.fromEntries(each((p, n) => [n, p.start?.(rows) ?? {}])),
    act(weights, view, state, key) {
      const keys = key ? random.splitKey(key, names.length) : [];
      const acts = each((p, n, i) => p.act(weights[n], view, state[n], keys[i]));
      const { state: _, ...merged } = merge(
        view,
        acts.map((a) => ({ ...a, state: undefined })),
      ) as unknown as Act;
      return { ...merged, state: Object.fromEntries(names.map((n, i) => [n, acts[i].state as Tree])) };
    },
    evaluate: (weights, view, action, trace) =>
      merge(
        view,
        each((p, n) => p.evaluate!(weights[n], view, action, trace)),
      ) as never,
    value: (weights, view) =>
      merge(
        view,
        each((p, n) => p.value!(weights[n], view)),
      ) as Tensor,
  };
}

/** A mask over rows, with as many axes as what it chooses from. */
function widen(mask: Tensor, like: Tensor): Tensor {
  let wide = mask;
  while (wide.rank < like.rank) wide = expandDims(wide, -1);
  return wide;
}
