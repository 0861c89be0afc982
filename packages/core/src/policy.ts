import type { Tensor, Tree } from "@reins/tensor";

/**
 * How likely a policy's own actions are: known exactly, only bounded from below (diffusion, latent variables), or not at all (planners,
 * best-of-n, black boxes). A loss that needs ratios refuses "none" by name.
 */
export type Likelihood = "exact" | "bound" | "none";

/** What a policy sees: columns with leading axes [rows] or [time, rows]. */
export type View = {
  readonly observation: Tree;
  /** bool: allowed choices. */
  readonly mask?: Tree;
  /** bool: this step begins an episode. Policies with memory forget there. */
  readonly first?: Tensor;
  /** i32: the slot of the row's agent, in environments with several. */
  readonly agent?: Tensor;
};

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
export type Judged = {
  readonly logProb: Tensor;
  readonly entropy: Tensor;
  readonly value?: Tensor;
  /** Further outputs that a loss may use, by name. */
  readonly extra?: { readonly [name: string]: Tensor };
};

/**
 * A way to act. Weights are a plain tree that the caller keeps. Functions are pure and work on traced and on concrete tensors; a
 * rollout compiles `act` unless the policy says that it runs on the host.
 */
export interface Policy<W extends Tree = Tree, S extends Tree = Tree> {
  readonly likelihood: Likelihood;
  /** `evaluate` needs whole sequences: what it remembers depends on the weights. */
  readonly memory?: boolean;
  /** Called with concrete tensors, never traced: solvers, searches, calls to other programs. */
  readonly host?: boolean;
  init(key: Tensor): W;
  /** What is carried from step to step at the beginning of episodes: memory, exploration noise; absent without any. */
  start?(rows: number): S;
  /** Chooses actions; without a key, the best ones rather than random ones. */
  act(weights: W, view: View, state: S, key?: Tensor): Act<S>;
  /** Recomputes likelihood, entropy and value of recorded actions. With memory, `view` is [time, rows] and `state` its start. */
  evaluate?(weights: W, view: View, action: Tree, trace?: Tree, state?: S): Judged;
  /** The value alone; what bootstraps a truncated episode. */
  value?(weights: W, view: View, state?: S): Tensor;
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
    evaluate:
      policy.evaluate &&
      // The likelihood is that of what the policy proposed; what was executed is a function of it.
      ((weights, view, _executed, trace, state) => {
        const { proposed, inner } = trace as { proposed: Tree; inner?: Tree };
        return policy.evaluate!(weights, view, proposed, inner, state);
      }),
  };
}

/** How a policy plays where nothing is learned. */
export interface PlayOptions {
  /** The best action of every state (the default), or one drawn from the policy. */
  readonly greedy?: boolean;
  /** Where the actions that are drawn come from, and in an evaluation the episodes too; 0 by default. */
  readonly seed?: number;
}
