import { improve, type Learned, type Live, type TransitionColumns, unlearned } from "@reins/core";
import * as nn from "@reins/nn";
import { add, mul, random, type Tensor, type Tree, treeMap } from "@reins/tensor";
import { type Critics, criticError, lowest, squaredError } from "../q/critics.ts";
import { besideAtoms, type Drawn, type Taken } from "./actors.ts";

/** What critics keep: weights that learn, and what follows them where a method has that. */
export type Judging = {
  readonly critics: Learned;
  /** Weights that follow slowly. */
  readonly target?: Tree;
  /** Running statistics of what the critics have seen. */
  readonly statistics?: Tree;
};

/** What critics learn from. */
export interface Lesson {
  readonly batch: TransitionColumns;
  /** The actions of the batch. */
  readonly taken: Taken;
  /** What the actor would do in the states that were reached. */
  readonly ahead: Drawn;
  readonly key: Tensor;
}

/** The critics' side of a soft actor-critic. */
export interface Judges {
  init(key: Tensor): Judging;
  /** One step towards reward and discounted soft value of what follows. */
  learn(
    state: Judging,
    lesson: Lesson,
  ): { readonly state: Judging; readonly metrics: { readonly [name: string]: Tensor } };
  /** What the actor's actions are worth, for it to climb: [rows], or [rows, choices]. */
  worth(state: Judging, observation: Tree, action: Tensor | undefined, key: Tensor): Tensor;
}

/** What is made of the estimates of several critics, whose first axis are the members. */
export interface Verdict {
  /** What the next state is worth: [members, rows, …] to [rows, …]. */
  next(values: Tensor, key: Tensor): Tensor;
  /** What the actor climbs, from the same. */
  climbed(values: Tensor): Tensor;
  /** How far values are from their goal, [members, rows]. */
  error(values: Tensor, goal: Tensor): Tensor;
}

/** The lowest estimate counts, for critics and actor alike (Haarnoja et al., 2018). */
export const pessimistic: Verdict = { next: lowest, climbed: lowest, error: squaredError };

/** What critics with target networks are made of. */
export interface FollowedOptions {
  readonly critics: Critics;
  readonly verdict?: Verdict;
  readonly optimiser?: nn.Optimiser;
  readonly criticRate: Live;
  /** How far the target networks move at a time. */
  readonly tau: Live;
  /** Whether critics are random whenever they are asked, and not only where they learn (Hiraoka et al., 2022). */
  readonly alwaysRandom?: boolean;
}

/** r + γ v, with as many numbers for each row as v has. */
export const backedUp = ({ reward, discount }: TransitionColumns, value: Tensor): Tensor =>
  add(besideAtoms(reward, value), mul(besideAtoms(discount, value), value));

/** Critics whose goals are what slow copies of them say of the next state. */
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
      // y = r + γ (Q(s', a') - α log π(a'|s')), Q as the verdict has it.
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
