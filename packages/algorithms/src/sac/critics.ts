import { improve, type Learned, type Live, type TransitionColumns, unlearned } from "@reins/core";
import * as nn from "@reins/nn";
import { add, mul, random, type Tensor, type Tree, treeMap } from "@reins/tensor";
import { type Critics, criticError, lowest, squaredError } from "../q/critics.ts";
import { besideAtoms, type Drawn, type Taken } from "./actors.ts";

/** Critic state: trained weights, and target weights or running statistics where a method has them. */
export type Judging = {
  readonly critics: Learned;
  /** Weights of the target critics. */
  readonly target?: Tree;
  /** Running statistics of the critics' batch norms. */
  readonly statistics?: Tree;
};

/** Inputs of a critic update. */
export interface Lesson {
  readonly batch: TransitionColumns;
  /** The actions of the batch. */
  readonly taken: Taken;
  /** The actor's actions in the next states. */
  readonly ahead: Drawn;
  readonly key: Tensor;
}

/** The critics of a soft actor-critic. */
export interface Judges {
  init(key: Tensor): Judging;
  /** One update towards reward plus discounted soft value of the next state. */
  learn(
    state: Judging,
    lesson: Lesson,
  ): { readonly state: Judging; readonly metrics: { readonly [name: string]: Tensor } };
  /** Actor objective: the value of the actor's actions, [rows], or [rows, choices]. */
  worth(state: Judging, observation: Tree, action: Tensor | undefined, key: Tensor): Tensor;
}

/** How the estimates of several critics are aggregated; the first axis holds the members. */
export interface Verdict {
  /** Value of the next state: [members, rows, …] to [rows, …]. */
  next(values: Tensor, key: Tensor): Tensor;
  /** Actor objective, from the same values. */
  climbed(values: Tensor): Tensor;
  /** Loss of values against their target, [members, rows]. */
  error(values: Tensor, goal: Tensor): Tensor;
}

/** The minimum, for TD target and actor objective (Haarnoja et al., 2018). */
export const pessimistic: Verdict = { next: lowest, climbed: lowest, error: squaredError };

/** Settings of critics with target networks. */
export interface FollowedOptions {
  readonly critics: Critics;
  readonly verdict?: Verdict;
  readonly optimiser?: nn.Optimiser;
  readonly criticRate: Live;
  /** Polyak coefficient of the target networks. */
  readonly tau: Live;
  /** Whether random layers stay active outside training (Hiraoka et al., 2022). */
  readonly alwaysRandom?: boolean;
}

/** r + γ v, for values with or without atoms. */
export const backedUp = ({ reward, discount }: TransitionColumns, value: Tensor): Tensor =>
  add(besideAtoms(reward, value), mul(besideAtoms(discount, value), value));

/** Critics trained towards polyak-averaged target critics. */
export function followedJudges({
  critics,
  verdict = pessimistic,
  optimiser = nn.adam(),
  criticRate,
  tau,
  alwaysRandom = false,
}: FollowedOptions): Judges {
  const asked = (key: Tensor) => (alwaysRandom ? key : undefined);
  return {
    init(key) {
      const weights = critics.init(key);
      return { critics: unlearned(weights, optimiser), target: treeMap((t) => t.add(0), weights) };
    },
    learn({ critics: q, target }, { batch, taken, ahead, key }) {
      const { observation, next } = batch;
      const [choose, drop] = [random.foldKey(key, 1), random.foldKey(key, 2)];
      const following = critics.values(target, next, ahead.action, asked(drop));
      // y = r + γ (Q(s', a') - α log π(a'|s')), with aggregated Q.
      const goal = backedUp(batch, ahead.soft(verdict.next(following, choose)));
      const valuesOf = (w: Tree) => taken.of(critics.values(w, observation, taken.action, key));
      const { gradient, metrics } = criticError(q.weights, valuesOf, goal, verdict.error);
      const { learned } = improve(q, gradient, { optimiser, learningRate: criticRate });
      return { state: { critics: learned, target: nn.polyak(target, learned.weights, tau.tensor) }, metrics };
    },
    worth: ({ critics: q }, observation, action, key) =>
      verdict.climbed(critics.values(q.weights, observation, action, asked(key))),
  };
}
