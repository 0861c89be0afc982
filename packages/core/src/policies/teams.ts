import { eq, expandDims, or, random, type Tensor, type Tree, treeMap, where } from "@reins/tensor";
import type { EnvSpec } from "../env.ts";
import { fail } from "../errors.ts";
import type { Policy } from "../policy.ts";
import type { PolicyInput } from "../recorded-step.ts";

/**
 * Several policies as one, each controlling its own slots of a multi-agent environment (`spec.agents.policies`). They
 * learn at the same time: a row's gradient reaches only the policy that controls it. All must have the same kind of action.
 */
export function teams(
  spec: EnvSpec,
  policies: { readonly [name: string]: Policy },
): Policy<{ [name: string]: Tree }, { [name: string]: Tree }> {
  const names = Object.keys(policies);
  const slots =
    spec.agents?.policies ??
    fail(spec.id, "spec.agents.policies is missing. It assigns a policy to each agent.");
  const missing = slots.find((n) => !(n in policies));
  if (missing !== undefined) fail(spec.id, `needs a policy named ${missing}; got ${names.join(", ")}.`);

  /** Rows of a policy come from its own result; other rows from the results merged so far. */
  const merge = <T extends Tree>(view: PolicyInput, results: readonly T[]): T => {
    const agent = view.agent ?? fail(spec.id, "the view has no `agent`, which assigns rows to agents.");
    return results.slice(1).reduce((chosen: T, result, i) => {
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
    ...(each((p) => p.random).some(Boolean) ? { random: true } : {}),
    init: (key) =>
      Object.fromEntries(
        random.splitKey(key, names.length).map((k, i) => [names[i], policies[names[i]].init(k)]),
      ),
    start: (rows) => Object.fromEntries(each((p, n) => [n, p.start?.(rows) ?? {}])),
    act(weights, view, state, key) {
      const keys = key ? random.splitKey(key, names.length) : [];
      const acts = each((p, n, i) => p.act(weights[n], view, state[n], keys[i]));
      const own = acts.map(({ state: _, ...made }) => made);
      return {
        ...merge(view, own),
        state: Object.fromEntries(names.map((n, i) => [n, acts[i].state])),
      };
    },
    score: (weights, { state: _, ...moment }) =>
      merge(
        moment.view,
        each((p, n, i) =>
          p.score(weights[n], moment.key ? { ...moment, key: random.foldKey(moment.key, i) } : moment),
        ),
      ),
    ...(each((p) => p.value).every((v) => v)
      ? {
          value: (weights: { [name: string]: Tree }, view: PolicyInput) =>
            merge(
              view,
              each(
                (p, n) =>
                  p.value?.(weights[n], view) ??
                  fail(spec.id, `${n} has no critic. All policies of a team need one.`),
              ),
            ),
        }
      : {}),
  };
}

/** A mask over rows, with as many axes as `like`. */
function widen(mask: Tensor, like: Tensor): Tensor {
  let wide = mask;
  while (wide.rank < like.rank) wide = expandDims(wide, -1);
  return wide;
}
