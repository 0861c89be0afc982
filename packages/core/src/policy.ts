import type { Tensor, Tree } from "@reins/tensor";
import type { Episode } from "./episode.ts";
import { describeValue, fail } from "./errors.ts";
import type { PolicyInput, RecordedStep } from "./recorded-step.ts";

/** Whether the likelihood of actions is exact or only a lower bound (diffusion, latent variables). */
export type Likelihood = "exact" | "bound";

/** Result of acting. */
export type ActionResult<S extends Tree = Tree> = {
  readonly action: Tree;
  /** Log-probability of the action, if known. */
  readonly logProb?: Tensor;
  /** The policy's estimate of the return, if it has a critic. */
  readonly value?: Tensor;
  /** Recurrent state for the next step. */
  readonly state: S;
  /** How the action was made, if that is trained on: a denoising chain, an unmasking order, a search. */
  readonly trace?: Tree;
};

/** Scores of recorded actions; differentiable. */
export type ActionScores = {
  readonly logProb: Tensor;
  readonly entropy: Tensor;
  readonly value?: Tensor;
  /** Further outputs for losses, by name. */
  readonly extra?: { readonly [name: string]: Tensor };
};

/** Common to both halves of a policy. Weights are a plain tree that the caller keeps; functions are pure. */
export interface Weighted<W extends Tree = Tree, S extends Tree = Tree> {
  /** Whether parts of it, such as dropout, are random during training: `score` then uses the moment's key. */
  readonly random?: boolean;
  /** Whether actions depend on earlier steps: it is then scored on whole sequences. */
  readonly memory?: boolean;
  init(key: Tensor): W;
  /** The state at the beginning of episodes: recurrent memory, exploration noise; absent if stateless. */
  start?(rows: number): S;
  /** The value alone, to bootstrap truncated episodes. */
  value?(weights: W, view: PolicyInput, state?: S): Tensor;
}

/**
 * The half of a policy that acts: all that an environment needs. Planners, searches and greedy policies have no more. It works on traced
 * and on concrete tensors; a rollout compiles `act` unless it runs on the host.
 */
export interface ActingPolicy<W extends Tree = Tree, S extends Tree = Tree> extends Weighted<W, S> {
  /** Called with concrete tensors, never traced: solvers, searches, calls to other programs. */
  readonly host?: boolean;
  /** Chooses actions: greedy without a key, sampled with one. */
  act(weights: W, view: PolicyInput, state: S, key?: Tensor): ActionResult<S>;
  /** For a host policy: its greedy action in traceable operations, so that it can be exported. */
  best?(weights: W, view: PolicyInput): Tree;
}

/** The half of a policy that scores recorded actions: all that a loss needs. A language model with a separate generator has no more. */
export interface ScoringPolicy<W extends Tree = Tree, S extends Tree = Tree> extends Weighted<W, S> {
  readonly likelihood: Likelihood;
  /** Likelihood, entropy and value of recorded actions. */
  score(weights: W, moment: RecordedStep<S>): ActionScores;
  /** The same policy for sequences of several episodes, which `first` separates; absent if sequences have one episode only. */
  readonly packed?: ScoringPolicy;
  /** Gives all episodes of a batch a `trace` of the same form if some have one. Called before packing. */
  alikeTraces?(episodes: readonly Episode[]): readonly Episode[];
  /**
   * Kullback-Leibler divergence between the action distributions of these weights and of `others`, at each step; differentiable in both.
   * Absent without a closed form.
   */
  divergence?(weights: W, others: W, moment: RecordedStep<S>): Tensor;
}

/** A policy that acts and scores. */
export interface Policy<W extends Tree = Tree, S extends Tree = Tree>
  extends ActingPolicy<W, S>,
    ScoringPolicy<W, S> {}

/** Whether a policy can score actions. */
export const isScoringPolicy = <P extends ActingPolicy | ScoringPolicy>(
  policy: P,
): policy is P & ScoringPolicy =>
  typeof policy === "object" && policy !== null && "score" in policy && typeof policy.score === "function";

/** Throws for a method that needs likelihoods with a policy that has none. */
export function failWithoutLikelihood(name: string, what: string): never {
  return fail(
    name,
    `${what} needs the likelihood of actions, but this policy only acts. Implement \`score\`, or use a method without likelihoods, such as a value-based one.`,
  );
}

/** Returns the policy, or throws if it cannot act in an environment. */
export function requireActingPolicy<P extends ActingPolicy | ScoringPolicy>(
  policy: P,
  name: string,
): P & ActingPolicy {
  const acts = (p: P): p is P & ActingPolicy => "act" in p && typeof p.act === "function";
  if (typeof policy !== "object" || policy === null)
    return fail(
      name,
      `the policy is ${describeValue(policy)}. Pass one that acts, such as the agent of a run.`,
    );
  if (acts(policy)) return policy;
  return fail(name, "this policy cannot act in an environment: it only scores episodes of a stage.");
}

/** The moment with the action that the policy proposed. */
function asProposed<S extends Tree>({ trace, ...moment }: RecordedStep<S>): RecordedStep<S> {
  const { proposed, inner } = trace as { proposed: Tree; inner?: Tree };
  return { ...moment, action: proposed, trace: inner };
}

/**
 * Inserts a function between a policy and its environment: a solver, a safety layer, a projection. The proposed action is kept as the trace.
 *
 * @experimental
 */
export function withActionTransform<W extends Tree, S extends Tree>(
  policy: Policy<W, S>,
  map: (action: Tree, view: PolicyInput) => Tree,
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
    // The likelihood is that of the proposed action; the executed one is a function of it.
    score: (weights, moment) => policy.score(weights, asProposed(moment)),
    ...(policy.divergence
      ? {
          divergence: (weights: W, others: W, moment: RecordedStep<S>) =>
            policy.divergence!(weights, others, asProposed(moment)),
        }
      : {}),
  };
}

/** How a policy acts outside training. */
export interface ActOptions {
  /** Greedy actions (the default), or sampled ones. */
  readonly greedy?: boolean;
  /** Seed of sampled actions and, in an evaluation, of the episodes (default 0). */
  readonly seed?: number;
}
