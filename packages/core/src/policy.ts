import type { Tensor, Tree } from "@reins/tensor";
import type { Episode } from "./episode.ts";
import { fail, said } from "./errors.ts";
import type { Moment, View } from "./moment.ts";

/** How well the likelihood of actions is known: exactly, or only bounded from below (diffusion, latent variables). */
export type Likelihood = "exact" | "bound";

/** What a policy did. */
export type Act<S extends Tree = Tree> = {
  readonly action: Tree;
  /** Log-probability of the action, where the likelihood is known. */
  readonly logProb?: Tensor;
  /** The policy's estimate of the return, where it has a critic. */
  readonly value?: Tensor;
  /** Memory for the next step. */
  readonly state: S;
  /** What made the action, if that is to be learned from: a denoising chain, an unmasking order, a search. */
  readonly trace?: Tree;
};

/** What a policy says about actions already taken; differentiable. */
export type Scored = {
  readonly logProb: Tensor;
  readonly entropy: Tensor;
  readonly value?: Tensor;
  /** Further outputs that a loss may use, by name. */
  readonly extra?: { readonly [name: string]: Tensor };
};

/** What both halves of a policy have. Weights are a plain tree that the caller keeps; functions are pure. */
export interface Weighted<W extends Tree = Tree, S extends Tree = Tree> {
  /** Whether parts of it are random while it learns, such as dropout: `score` then draws from the moment's key. */
  readonly random?: boolean;
  /** What it does depends on the steps before: it is scored in whole sequences. */
  readonly memory?: boolean;
  init(key: Tensor): W;
  /** What is carried from step to step at the beginning of episodes: memory, exploration noise; absent without any. */
  start?(rows: number): S;
  /** The value alone; what bootstraps a truncated episode. */
  value?(weights: W, view: View, state?: S): Tensor;
}

/**
 * The half of a policy that acts: all that an environment needs. Planners, searches and greedy choices have no more. It works on traced
 * and on concrete tensors; a rollout compiles `act` unless it runs on the host.
 */
export interface Acting<W extends Tree = Tree, S extends Tree = Tree> extends Weighted<W, S> {
  /** Called with concrete tensors, never traced: solvers, searches, calls to other programs. */
  readonly host?: boolean;
  /** Chooses actions; without a key, the best ones rather than random ones. */
  act(weights: W, view: View, state: S, key?: Tensor): Act<S>;
  /** Of one that is called on the host: its best action in operations that can be traced, so that a file can hold it. */
  best?(weights: W, view: View): Tree;
}

/** The half of a policy that scores recorded actions: all that a loss needs. A language model whose words a generator draws has no more. */
export interface Scoring<W extends Tree = Tree, S extends Tree = Tree> extends Weighted<W, S> {
  readonly likelihood: Likelihood;
  /** Likelihood, entropy and value of recorded actions. */
  score(weights: W, moment: Moment<S>): Scored;
  /** Gives all episodes of a batch the same `trace`, where only some of them need one. Called before they are packed. */
  alikeTraces?(episodes: readonly Episode[]): readonly Episode[];
  /**
   * Kullback-Leibler divergence of what these weights would do from what `others` would, at each step; differentiable in both. Absent where
   * it is not known in closed form.
   */
  divergence?(weights: W, others: W, moment: Moment<S>): Tensor;
}

/** A way to act that knows how likely its actions are. */
export interface Policy<W extends Tree = Tree, S extends Tree = Tree> extends Acting<W, S>, Scoring<W, S> {}

/** Whether a policy can score actions. */
export const isScoring = <P extends Acting | Scoring>(policy: P): policy is P & Scoring =>
  typeof policy === "object" && policy !== null && "score" in policy && typeof policy.score === "function";

/** Stops a method that scores actions with a policy that cannot. */
export function noLikelihood(name: string, what: string): never {
  return fail(
    name,
    `${what} needs the likelihood of actions, and this policy has none: it only acts. Give it \`score\`, or use a method without likelihoods, such as a value-based one.`,
  );
}

/** The policy, if it can act in an environment. */
export function requireActing<P extends Acting | Scoring>(policy: P, name: string): P & Acting {
  const acts = (p: P): p is P & Acting => "act" in p && typeof p.act === "function";
  if (typeof policy !== "object" || policy === null)
    return fail(name, `the policy is ${said(policy)}. Give one that acts, such as the agent of a run.`);
  if (acts(policy)) return policy;
  return fail(name, "this policy cannot act in an environment: it scores what was generated on a stage.");
}

/** A moment as the policy saw it whose proposal was changed. */
function asProposed<S extends Tree>({ trace, ...moment }: Moment<S>): Moment<S> {
  const { proposed, inner } = trace as { proposed: Tree; inner?: Tree };
  return { ...moment, action: proposed, trace: inner };
}

/** Inserts something between a policy and its environment: a solver, a safety layer, a projection. The proposed action is kept as the trace. */
export function through<W extends Tree, S extends Tree>(
  policy: Policy<W, S>,
  map: (action: Tree, view: View) => Tree,
  options: { host?: boolean } = {},
): Policy<W, S> {
  return {
    ...policy,
    host: options.host ?? policy.host,
    act(weights, view, state, key) {
      const proposed = policy.act(weights, view, state, key);
      const trace: Tree = { proposed: proposed.action, ...(proposed.trace ? { inner: proposed.trace } : {}) };
      return { ...proposed, action: map(proposed.action, view), trace };
    },
    // The likelihood is that of what the policy proposed; what was executed is a function of it.
    score: (weights, moment) => policy.score(weights, asProposed(moment)),
    ...(policy.divergence
      ? {
          divergence: (weights: W, others: W, moment: Moment<S>) =>
            policy.divergence!(weights, others, asProposed(moment)),
        }
      : {}),
  };
}

/** How a policy plays where nothing is learned. */
export interface PlayOptions {
  /** The best action of every state (the default), or one drawn from the policy. */
  readonly greedy?: boolean;
  /** Where the actions that are drawn come from, and in an evaluation the episodes too; 0 by default. */
  readonly seed?: number;
}
