import type { Tensor, Tree } from "@reins/tensor";
import type { Episode } from "./episode.ts";
import type { EvaluationResult, YieldHook } from "./evaluation.ts";
import type { Judge } from "./judge.ts";
import type { ActOptions, ScoringPolicy } from "./policy.ts";
import type { EpisodeSource, RolloutInput } from "./rollout.ts";
import type { Value } from "./space.ts";

/**
 * A source of whole episodes without stepped environments: a language model that answers problems, a game by mail. It has the
 * policy, a way to sample the task's problems, and a judge. Methods that learn from episodes use it directly.
 */
export interface Stage {
  readonly policy: ScoringPolicy;
  /** What the weights are: those of a policy (default) or of a reward model, whose `policy` scores texts in `extra`. */
  readonly trains?: "policy" | "reward";
  /** The policy with a critic, if there is one: its weights have an additional part. */
  readonly critic?: ScoringPolicy;
  /** Ways to play besides sampling from the policy: greedy, a teacher, a hint that reveals part of the answer, the reference policy, its mixture with the policy. */
  readonly samplingModes?: readonly ("greedy" | "teacher" | "hint" | "reference" | "mixture")[];
  /** Difficulty levels of problems, from easy to hard; a problem's context chooses one. */
  readonly levels?: readonly number[];
  /** Number of training problems, if they are a finite list, which is traversed in epochs. */
  readonly problems?: number;
  /** The lists that the problems consist of, one after another, where they are mixed by weight (default: one list). */
  readonly parts?: readonly { readonly count: number; readonly weight?: number }[];
  /** Epochs until training ends (default: until the step budget is spent). */
  readonly epochs?: number;
  /** Maximum number of the policy's own steps in an episode. */
  readonly limit?: number;
  play(playing: RolloutInput): EpisodeSource;
  /** Demonstrations of a teacher, for imitation. */
  demonstrations?(playing: RolloutInput): EpisodeSource;
  /**
   * Recorded completions of each problem with their scores (`Episode.score`), for methods that learn from comparisons:
   * a chosen and a rejected one, or a ranking. Completions of a problem are adjacent and have the same group.
   */
  comparisons?(playing: RolloutInput, options?: ComparisonOptions): EpisodeSource;
  /** The policy with the divergence of its action distributions from a teacher's (`extra.teacher`), if there is a teacher. */
  distillation?(options: TeacherComparison): ScoringPolicy;
  /**
   * Recorded completions of up to `count` held-out problems, as {@link comparisons} gives them. Where none are held out there
   * are none, or with `trained` those of training problems.
   */
  heldOutComparisons?(
    count: number,
    seed: number,
    options?: { readonly trained?: boolean },
  ): readonly Episode[];
  /** Held-out demonstrations, to validate imitation. */
  readonly validation?: Validation;
  readonly judge: Judge;
  /**
   * The probability that the first of two episodes of a problem is preferred to the second, where preferences are more than a
   * comparison of rewards: they may be cyclic.
   */
  prefer?(one: Episode, other: Episode): number | Promise<number>;
  /** The mean score of these weights on held-out problems. */
  evaluate(weights: Tree, options?: StageEvaluation): Promise<EvaluationResult>;
  /** The text of a token, if episodes are texts. */
  decodeToken?(token: number): string;
  /** The answer of these weights to one observation. */
  answer(weights: Tree, observation: Value): Value;
  /** Serves these weights to other programs on this machine through the OpenAI API, if episodes are texts. */
  serve?(weights: Tree, options?: ServeOptions): Promise<ServerHandle>;
}

/** Options of {@link Stage.comparisons}. */
export interface ComparisonOptions {
  /**
   * After each completion, also that of the next problem in the batch, as a completion of this one: without a score, in
   * a group of its own. Methods estimate the divergence from a reference policy on them.
   */
  readonly mismatched?: boolean;
  /** Completions whose steps are labelled, instead of compared ones: the column `label` is 1 or −1 at the end of a right or wrong step. */
  readonly steps?: boolean;
}

/** How the distributions of a teacher and a student are compared. */
export interface TeacherComparison {
  /**
   * `forward-kl`, KL(teacher ‖ student), covers all that the teacher might say; `reverse-kl`, KL(student ‖ teacher),
   * avoids what it would not say; `js` is between the two.
   */
  readonly divergence: "forward-kl" | "reverse-kl" | "js";
  /** For `js`: the teacher's share of the mixture with which both are compared. */
  readonly mixture: Tensor | number;
  /** Temperature of both distributions. */
  readonly temperature: Tensor | number;
}

/** Held-out demonstrations and the policy that scores them. */
export interface Validation {
  /** Scores like the stage's policy; with `extra.likeliest` (1 or 0: the action is the policy's first choice) it also gives accuracies. */
  readonly policy: ScoringPolicy;
  /** Up to `count` demonstrations: a function of the seed alone. Training never sees them. */
  episodes(count: number, seed: number): readonly Episode[] | Promise<readonly Episode[]>;
  /** Measures of weights on these demonstrations, by name (default: loss, entropy and accuracy per token). `loss` is needed for early stopping. */
  measure?(weights: Tree, episodes: readonly Episode[]): { readonly [name: string]: number };
}

/** Options of the server. */
export interface ServeOptions {
  /** API key that clients must send (default: random). */
  readonly key?: string;
  /** Port on this machine (default: any free port). */
  readonly port?: number;
  /** Address to listen on (default 127.0.0.1, which other machines cannot reach). Connections are not encrypted. */
  readonly host?: string;
  /** Model name for clients (default `reins`). */
  readonly model?: string;
  /** Samples replies (default: greedy). */
  readonly sample?: boolean;
  /** Seed of sampling (default 0). */
  readonly seed?: number;
}

/** A running server. */
export interface ServerHandle {
  /** Base URL for clients: `http://127.0.0.1:8080/v1`. */
  readonly baseURL: string;
  readonly key: string;
  readonly model: string;
  /** Stops the server. Requests in progress may take up to `grace` milliseconds (default 0). */
  close(options?: { readonly grace?: number }): Promise<void>;
}

/** What a method that learns from episodes needs of a stage. Environments provide it too, with a policy that plays to the end. */
export type Episodes = Pick<
  Stage,
  | "policy"
  | "critic"
  | "samplingModes"
  | "levels"
  | "problems"
  | "parts"
  | "epochs"
  | "limit"
  | "play"
  | "demonstrations"
  | "comparisons"
  | "distillation"
  | "validation"
  | "judge"
  | "prefer"
>;

/** Options of an evaluation on a stage. */
export interface StageEvaluation extends ActOptions {
  /** Problems to evaluate on; 100 by default. */
  readonly episodes?: number;
  /** Samples per problem; 1 by default. Scores and lengths are means over them, and `measures` is set. */
  readonly samples?: number;
  /** Called repeatedly to yield to the event loop. */
  readonly yieldHook?: YieldHook;
}
