import type { Tree } from "@reins/tensor";
import type { Episode } from "./episode.ts";
import type { Breath, Evaluated } from "./evaluation.ts";
import type { Judge } from "./judge.ts";
import type { PlayOptions, Scoring } from "./policy.ts";
import type { EpisodeSource, Playing } from "./rollout.ts";
import type { Value } from "./space.ts";

/**
 * Where whole episodes come from when no environment is stepped: a language model that answers problems, a game by mail. It has the
 * policy that acts there, a way to play the task's problems, and a judge. Methods that learn from episodes take it as it is.
 */
export interface Stage {
  readonly policy: Scoring;
  /** The same with an estimate of what a text will earn, where there is one: its weights have one part more. */
  readonly critic?: Scoring;
  /** Ways to play beside the policy's own: without chance, by a teacher, with a part of the answer given away. */
  readonly offers?: readonly ("greedy" | "teacher" | "hint")[];
  /** Levels that problems may have, from easy to hard; a problem's context chooses one. */
  readonly levels?: readonly number[];
  /** How many problems there are for training, where they are listed: they are gone through one after another, in epochs. */
  readonly problems?: number;
  /** Times that they are gone through, after which training ends; as often as there are steps for, if absent. */
  readonly epochs?: number;
  /** Most steps of an episode that are the policy's own. */
  readonly limit?: number;
  play(playing: Playing): EpisodeSource;
  /** Episodes in which a teacher shows how it is done, for imitation. */
  show?(playing: Playing): EpisodeSource;
  /** Held-out examples of the teacher, where imitation can be validated. */
  readonly validation?: Validation;
  readonly judge: Judge;
  /** The mean score of these weights over problems that training never sees. */
  evaluate(weights: Tree, options?: StageEvaluation): Promise<Evaluated>;
  /** The text of a token, for people, where episodes are texts. */
  spell?(token: number): string;
  /** What these weights answer to one observation. */
  answer(weights: Tree, observation: Value): Value;
  /** Lets other programs on this machine talk to these weights, through the API of OpenAI, where episodes are texts. */
  serve?(weights: Tree, options?: ServeOptions): Promise<Served>;
}

/** Held-out examples of a teacher, and what they are scored by. */
export interface Validation {
  /** Scores as the stage's policy does; with `extra.likeliest` (1 or 0: the action is the policy's first choice) accuracies are known too. */
  readonly policy: Scoring;
  /** As many examples as there are, up to a number: a function of the seed alone. Training never sees them. */
  episodes(count: number, seed: number): readonly Episode[] | Promise<readonly Episode[]>;
}

/** How weights are served. */
export interface ServeOptions {
  /** What clients must send (default: a random one). */
  readonly key?: string;
  /** A port of this machine (default: one that is free). */
  readonly port?: number;
  /** What clients call the model (default `reins`). */
  readonly model?: string;
  /** Draws replies by chance, where the likeliest are given otherwise. */
  readonly sample?: boolean;
  /** Of that chance (default 0). */
  readonly seed?: number;
}

/** Weights that listen. */
export interface Served {
  /** What clients take as their base URL: `http://127.0.0.1:8080/v1`. */
  readonly baseURL: string;
  readonly key: string;
  readonly model: string;
  close(): Promise<void>;
}

/** What a method that learns from episodes needs of a stage. Environments have it too, played to the end by a policy that acts. */
export type Episodes = Pick<
  Stage,
  | "policy"
  | "critic"
  | "offers"
  | "levels"
  | "problems"
  | "epochs"
  | "limit"
  | "play"
  | "show"
  | "validation"
  | "judge"
>;

/** How a policy is measured on a stage. */
export interface StageEvaluation extends PlayOptions {
  /** Problems to play; 100 by default. */
  readonly episodes?: number;
  /** Answers that are drawn to each problem; 1 by default. Scores and lengths are then means over them, and `measures` says more. */
  readonly samples?: number;
  /** Called now and then, so that other things have their turn. */
  readonly breath?: Breath;
}
