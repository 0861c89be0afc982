import { fail } from "@reins/core";
import type { Generator } from "@reins/core/random";
import type { RasterImage } from "../models/images.ts";
import type { Call, Message } from "../tokenizers/message.ts";
import type { CallFormat } from "../tools/call-format.ts";
import type { Tool } from "../tools/tool.ts";

/** A problem of a language task, with the data of its verifier. Plain data: it is saved, sent and hashed. */
export interface Problem<T = unknown> {
  /** The prompt. */
  readonly prompt: string;
  /** The conversation so far, where it is one; `prompt` is a plain text version for models without a chat template. */
  readonly messages?: readonly Message[];
  /** Whether assistant turns in these messages are a teacher's and imitated like the answer. */
  readonly taught?: boolean;
  /** Whether the answer is a text without a prompt: `prompt` is empty, and every token is imitated. */
  readonly alone?: boolean;
  /** Whether the answer is the preferred one of two, which does not make other answers wrong. */
  readonly preferred?: boolean;
  /** Image of the prompt. Needs a model that reads images. */
  readonly image?: RasterImage;
  /** A reference answer, as a model should write it: the target of supervised learning. */
  readonly answer: string;
  /** Identity of the problem where prompts are not unique, for example hidden state. Determines its split. */
  readonly key?: string;
  /** Recorded completions with scores, for methods that learn from comparisons. */
  readonly candidates?: readonly Candidate[];
  /** Data for the verifier. */
  readonly data: T;
  readonly level: number;
}

/** A recorded completion of a problem. */
export interface Candidate {
  readonly text: string;
  /** Compared with the other candidates of the problem: a chosen completion has 1, a rejected one 0, a ranking more. */
  readonly score: number;
  /** By how much it is better than the other candidates, where annotators said so. */
  readonly margin?: number;
}

/** A verifier's verdict on an answer. */
export interface Verification {
  /** From 0 (wrong) to 1 (right), with partial credit between. */
  readonly score: number;
  /** Scores of other roles in a conversation by name (default: `score`). */
  readonly scores?: { readonly [role: string]: number };
  /** Named terms of the score. */
  readonly terms?: { readonly [name: string]: number };
  /** Whether the answer had the required format, right or wrong; undefined where any format is allowed. */
  readonly wellFormed?: boolean;
  /** The final answer in the text, in one spelling: majority voting counts equal ones together (default: the text). */
  readonly answer?: string;
  /** Why it is wrong, for people. */
  readonly why?: string;
}

/** The environment's reply to a turn. */
export interface EnvironmentReply {
  /** Message to the model, which then has its next turn. */
  readonly say?: string;
  /** Tool calls of the turn, where it makes them in its own format. */
  readonly calls?: readonly Pick<Call, "name" | "arguments">[];
  /**
   * The next role, which gets the message: one of the task's `roles`, or `"model"` (default: the role of this
   * turn).
   */
  readonly to?: string;
  /** Reward of the turn. The verifier's score is added in the end. */
  readonly reward?: number;
  /** Whether the conversation has ended (default: if there is no message to the model). */
  readonly done?: boolean;
}

/** The state of a conversation, for verifiers and roles. */
export interface ConversationState<S = unknown> {
  readonly state: S;
  /** All messages, whichever role saw them. */
  readonly messages: readonly Message[];
  /** Turns so far, of all roles. */
  readonly turns: number;
  /** The role whose turn it is; undefined for the model. */
  readonly role?: string;
}

/**
 * A scripted player that writes turns instead of the model: a teacher or a baseline policy. It may read the state,
 * which is hidden from the model.
 */
export type ScriptedPlayer<T = unknown, S = unknown> = {
  // A method, so that tasks of any type are assignable, like the task's own methods.
  play(problem: Problem<T>, conversation: ConversationState<S>, random: Generator): string;
}["play"];

/** Another role that takes turns in a conversation and sees only the messages to it. */
export interface Role<T = unknown, S = unknown> {
  /** Opening messages of the role. */
  opening(problem: Problem<T>, state: S): readonly Message[];
  /**
   * Who plays the role: the model in training, which also learns from these turns (`"policy"`, default); separate
   * weights that learn (`"own"`); the model's initial weights (`"start"`); or a program.
   */
  readonly by?: "policy" | "own" | "start" | ScriptedPlayer<T, S>;
  /**
   * What rollouts of the role are compared with: all of the same role (default), or only those with the same context
   * before their first turn, so that a bad plan is not blamed on the role that executes it.
   */
  readonly compared?: "role" | "seen";
}

/** A belief reward: pays turns that raise the probability of the truth (Wang et al., 2025). */
export interface Belief<T = unknown, S = unknown> {
  /** The statement of the truth. */
  truth(problem: Problem<T>, state: S): string;
  /** Prefix of such a statement; its own probability does not count. */
  readonly after?: string;
  /** Reward for the full change of probability from 0 to 1. */
  readonly weight: number;
}

/** What an agent gets: access to the model in training, and its problem. */
export interface AgentAccess<T = unknown> {
  /** Base URL for clients of the OpenAI API: `http://127.0.0.1:8080/v1`. */
  readonly baseURL: string;
  /** API key of this rollout, which identifies its calls. */
  readonly apiKey: string;
  readonly model: string;
  readonly problem: Problem<T>;
  /** Aborts when the rollout times out. */
  readonly signal: AbortSignal;
}

/** A conversation of several turns, run by this package. */
export interface MultiTurn<T = unknown, S = unknown> {
  /** Tools that the model may call. Results are appended to its context. */
  readonly tools?: readonly Tool<never, S>[];
  /** Format of tool calls (default: `terse` for character-level models, `tagged()` for others). */
  readonly format?: CallFormat;
  /** Maximum turns of the model (default 8). Longer conversations are truncated. */
  readonly turns?: number;
  /** Initial state of the environment, which tools and turns change (default: a copy of the problem's data). */
  begin?(problem: Problem<T>, random: Generator): S;
  /**
   * The environment's reply to a turn without a tool call. Without this function, such a turn is the answer and ends
   * the conversation.
   */
  turn?(state: S, message: Message, random: Generator): EnvironmentReply | Promise<EnvironmentReply>;
  /** Other roles by name: a partner, an opponent, a planner. `turn` returns the next role. */
  readonly roles?: { readonly [name: string]: Role<T, S> };
  /** Reward of a turn after its `answers`, for intermediate rewards. Added to the reward of `turn`. */
  turnReward?(conversation: ConversationState<S>, turn: Message, answers: readonly Message[]): number;
  /** Rewards each turn for the change in the probability of the truth under the model. */
  readonly belief?: Belief<T, S>;
  /** Minimum score at which turn rewards count; below it they are dropped (Sun et al., 2025). */
  readonly gate?: number;
  /** Replaces the model's context: a summary, the last turns. Called before each turn but the first. */
  rebuild?(conversation: ConversationState<S>): readonly Message[] | undefined;
  /** Scripted players by skill: `expert` is imitated, the others are baselines. */
  readonly players?: { readonly [skill: string]: ScriptedPlayer<T, S> };
}

/** An external agent that calls the model in training. Tools and players are for imitation, which does not run it. */
export interface AgentRun<T = unknown, S = unknown>
  extends Pick<MultiTurn<T, S>, "tools" | "format" | "turns" | "begin" | "players"> {
  /**
   * Runs the agent: it calls the model in training through the API at `baseURL`, like any other model, and returns
   * the answer. All of its calls are trained on.
   */
  agent(access: AgentAccess<T>): unknown;
}

/**
 * A language task of generated and verified problems: no download, unlimited, with levels of difficulty. `make` takes all
 * randomness from its generator, so the same generator gives the same problem.
 */
export interface TextTask<T = unknown, S = never> {
  /** Name on the command line: `arithmetic`. */
  readonly id: string;
  /** One sentence that describes the task. */
  readonly about: string;
  /** Number of levels, from 1. */
  readonly levels: number;
  /** Characters of prompts and answers, for character-level models. */
  readonly alphabet: string;
  /** Maximum characters of a prompt and an answer, at the highest level. */
  readonly longest: {
    readonly prompt: number;
    /** Of each turn, in multi-turn tasks. */
    readonly answer: number;
    /** Of a whole conversation with its prompt, in multi-turn tasks (default: the sum over all turns and replies). */
    readonly conversation?: number;
  };
  /** Listed problems instead of generated ones: training problems, used in epochs, and test problems. */
  readonly listed?: { readonly train: readonly Problem<T>[]; readonly test: readonly Problem<T>[] };
  make(random: Generator, level: number): Omit<Problem<T>, "level">;
  /** Judges any text: right answers in all their forms, near misses, nonsense. Never throws. */
  verify(
    problem: Problem<T>,
    answer: string,
    conversation?: ConversationState<S>,
  ): Verification | Promise<Verification>;
  /**
   * The probability that the first of two answers is preferred to the second (default: the higher score wins). Use it where
   * preferences are noisy or cyclic. Methods that compare completions call it.
   */
  prefer?(problem: Problem<T>, one: string, other: string): number | Promise<number>;
  /** A problem whose answer begins with a given lead, which is in the context and not trained on (`tasks.leading`). */
  led?(problem: Problem<T>, lead: string): Problem<T>;
  /** Wrong answers that look right, to test the verifier. */
  nearMisses?(problem: Problem<T>, random: Generator): readonly string[];
  /** How a rollout proceeds (default: one answer to the prompt). */
  readonly episode?: MultiTurn<T, S> | AgentRun<T, S>;
  /**
   * Releases resources: clients, processes. Commands call it when they end, and `close` of each tool; programs that
   * train call them.
   */
  close?(): unknown;
}

/** Defines a task; infers the type of `data`. */
export function textTask<T, S = never>(task: TextTask<T, S>): TextTask<T> {
  // Programs in JavaScript have no compiler that names them.
  const missing = needed.filter((field) => task[field] === undefined);
  if (missing.length)
    fail(
      `textTask ${task.id ?? ""}`.trim(),
      `${missing.join(", ")} ${missing.length > 1 ? "are" : "is"} missing. A task needs ${needed.join(", ")}.`,
    );
  return task as TextTask<T>;
}

const needed = ["id", "about", "levels", "alphabet", "longest", "make", "verify"] as const;
