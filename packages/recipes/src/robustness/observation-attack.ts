import type { CurrentPolicy } from "@reins/core";
import { failWithoutLikelihood, isScoringPolicy, requireActingPolicy } from "@reins/core/policies";
import {
  add,
  broadcastTo,
  compile,
  concat,
  div,
  eq,
  expandDims,
  ge,
  grad,
  gt,
  lt,
  maximum,
  minimum,
  mul,
  ne,
  or,
  random,
  reshape,
  scan,
  sqrt,
  square,
  sum,
  type Tensor,
  type Tree,
  tensor,
  where,
  zeros,
} from "@reins/tensor";

/** Options of an attack. */
export interface ObservationAttack {
  /** Maximum norm of the change of one observation. */
  readonly size: number;
  /** Target action of each row, -1 for no attack; without it, the attack leads away from the policy's own action. */
  readonly towards?: (observation: Tensor) => Tensor;
  /** Uses the smallest change that changes the action, and none if `size` does not suffice: saves the budget for steps where it counts. */
  readonly thrifty?: boolean;
}

/** Steps of a change; the gradient is recomputed for each. */
const pieces = 8;
/** Noisy copies per gradient. */
const copies = 8;

/**
 * Adversarial attacks on the observations of a policy with discrete actions: along the normalised gradient of its log-likelihood, in
 * several steps (Goodfellow et al., 2015; Madry et al., 2018). `noise` is the standard deviation of the noise that the agent itself adds
 * afterwards: gradients are then means over noisy copies. An attack returns the change of observations, as the `adversary` wrapper expects.
 */
export function observationAttacks(
  { policy, weights }: CurrentPolicy,
  { noise = 0 }: { noise?: number } = {},
): (attack: ObservationAttack) => (given: { readonly observation: Tensor; readonly left: Tensor }) => Tensor {
  if (!isScoringPolicy(policy))
    return failWithoutLikelihood("observationAttacks", "an attack along the gradient");
  const both = requireActingPolicy(policy, "observationAttacks");
  // Everything that distinguishes attacks is an input, so they share the compiled function.
  const change = compile(
    (
      w: Tree,
      { observation, left, towards }: { observation: Tensor; left: Tensor; towards: Tensor },
      { size, away, thrifty }: { size: Tensor; away: Tensor; thrifty: Tensor },
    ) => {
      const [rows, width] = observation.shape;
      const wide = (flags: Tensor) => broadcastTo(expandDims(flags, 1), [rows, width]);
      const many = noise > 0 ? copies : 1;
      const repeat = (x: Tensor) => concat(Array.from({ length: many }, () => x));
      const actionAt = (x: Tensor) => both.act(w, { observation: x }, {}).action as Tensor;
      const meant = actionAt(observation);
      const flee = gt(away, 0);
      const aim = where(flee, meant, maximum(towards, 0));
      const reached = (x: Tensor) => {
        const action = actionAt(x);
        return where(flee, ne(action, meant), eq(action, aim));
      };
      const blur = mul(random.normal(random.key(0), [many * rows, width]), noise);
      const aims = repeat(aim);
      const slope = grad((x: Tensor) => {
        const seen = add(repeat(x), blur);
        return sum(both.score(w, { view: { observation: seen }, action: aims }).logProb);
      });
      const most = where(or(flee, ge(towards, 0)), minimum(left, size), 0);
      const length = reshape(mul(most, where(flee, -1 / pieces, 1 / pieces)), [rows, 1]);
      const step = ({ added, done }: { added: Tensor; done: Tensor }) => {
        const g = slope(add(observation, added));
        const unit = div(g, add(sqrt(sum(square(g), { axis: 1, keepDims: true })), 1e-12));
        const next = where(wide(done), added, add(added, mul(unit, length)));
        const enough = or(done, reached(add(observation, next)));
        return [{ added: next, done: where(gt(thrifty, 0), enough, done) }, {}] as const;
      };
      const start = { added: zeros([rows, width]), done: where(gt(thrifty, 0), reached(observation), false) };
      const { added, done } = scan(step, start, {}, { length: pieces }).carry;
      return where(wide(or(done, lt(thrifty, 1))), added, 0);
    },
    { name: "observation attack" },
  );
  return ({ size, towards, thrifty = false }) => {
    const chosen = { size: tensor(size), away: tensor(towards ? 0 : 1), thrifty: tensor(thrifty ? 1 : 0) };
    return ({ observation, left }) => {
      const goal = towards?.(observation) ?? zeros([left.size], "i32");
      return change(weights, { observation, left, towards: goal }, chosen);
    };
  };
}
