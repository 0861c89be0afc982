import type { Generator } from "@reins/core";
import type { Image } from "../models/pictures.ts";
import type { Call, Message } from "../tokenizers/message.ts";
import type { CallFormat } from "../tools/call-format.ts";
import type { Tool } from "../tools/tool.ts";

/** A problem in words, with what its verifier must know. Plain data: it is saved, sent and hashed. */
export interface Problem<T = unknown> {
  /** What the model is asked. */
  readonly prompt: string;
  /** The conversation so far, where it is one; `prompt` is the same in plain words, for models without a chat template. */
  readonly messages?: readonly Message[];
  /** Whether what the assistant said in these messages is a teacher's too, and is imitated as the answer is. */
  readonly taught?: boolean;
  /** Whether the answer is a text that stands alone: nobody asks for it, `prompt` is empty, and every token is imitated. */
  readonly alone?: boolean;
  /** Whether the answer is the better of two, which says nothing of answers that are neither. */
  readonly preferred?: boolean;
  /** What it is shown beside the words. A model must read pictures to be asked. */
  readonly picture?: Image;
  /** One right answer, as a model should write it: what supervised learning imitates. */
  readonly answer: string;
  /** What tells it from others, where prompts do not: what is hidden. It decides whether a problem is for training or for testing. */
  readonly key?: string;
  /** What the verifier looks at. */
  readonly data: T;
  readonly level: number;
}

/** What a verifier says of an answer. */
export interface Verification {
  /** From 0 (wrong) to 1 (right); between them where parts can be right. */
  readonly score: number;
  /** What it is worth to others that have a part in a conversation, by their roles; the score to those that are not named. */
  readonly scores?: { readonly [role: string]: number };
  /** What the score is made of, by name. */
  readonly terms?: { readonly [name: string]: number };
  /** Whether the answer had the form that was asked for, right or wrong; not said where any form will do. */
  readonly formed?: boolean;
  /** Why it is not right, for people. */
  readonly why?: string;
}

/** What a world answers to a turn of the model's. */
export interface Turn {
  /** What is said to the model, which then has its next turn. */
  readonly say?: string;
  /** Tools that the turn means, where it calls them in words of its own. */
  readonly calls?: readonly Pick<Call, "name" | "arguments">[];
  /** Whose turn is next, and to whom it is said: one of the family's `roles`, or `"model"` (default: whoever had this turn). */
  readonly to?: string;
  /** What the turn earned. The verifier's score is paid in the end, beside it. */
  readonly reward?: number;
  /** Whether the conversation has ended. Without a word to the model it has. */
  readonly done?: boolean;
}

/** What a conversation has come to, for whoever judges it or has a part in it. */
export interface Talk<S = unknown> {
  readonly state: S;
  /** All that was said, whoever saw it. */
  readonly messages: readonly Message[];
  /** Turns so far, of all that take some. */
  readonly turns: number;
  /** Whose turn it is, where it is not the model's: one of the family's roles. */
  readonly role?: string;
}

/** Writes the model's turn in its place: a teacher, a fixed policy to compare with. It may look at the state, which the model cannot. */
export type ScriptedPlayer<T = unknown, S = unknown> = {
  // As a method, it fits where a family of any kind is asked for, as the family's own methods do.
  play(problem: Problem<T>, talk: Talk<S>, random: Generator): string;
}["play"];

/** Somebody beside the model who takes turns in a conversation, and sees of it what is said to them alone. */
export interface Role<T = unknown, S = unknown> {
  /** How what they see begins. */
  opening(problem: Problem<T>, state: S): readonly Message[];
  /**
   * Who plays them: the model in training, which learns from their turns as well (the default); the same with weights of their own; the model as it was when training
   * began; a program. Only the first two learn.
   */
  readonly by?: "policy" | "own" | "start" | ScriptedPlayer<T, S>;
  /**
   * What their plays are compared with: all of the same role (the default), or those alone that had seen the same when they first spoke. So a bad plan is not blamed on
   * who carries it out.
   */
  readonly compared?: "role" | "seen";
}

/** What the model should come to know, and what a turn earns that makes it likelier (Wang et al., 2025). */
export interface Belief<T = unknown, S = unknown> {
  /** What it would say if it knew. */
  truth(problem: Problem<T>, state: S): string;
  /** How such a turn begins, whatever is true: how likely the model is to begin so does not count. */
  readonly after?: string;
  /** What all of the way from impossible to certain is worth. */
  readonly weight: number;
}

/** What an agent needs to talk to the model in training, and what it is to do. */
export interface AgentAccess<T = unknown> {
  /** As clients of the OpenAI API take it: `http://127.0.0.1:8080/v1`. */
  readonly baseURL: string;
  /** A key of this play's own, by which its calls are known. */
  readonly apiKey: string;
  readonly model: string;
  readonly problem: Problem<T>;
  /** Ends with the time that a play may take. */
  readonly signal: AbortSignal;
}

/** How a family's problems are talked about, where one answer is not all. */
export interface Talking<T = unknown, S = unknown> {
  /** Tools that the model may call. Their answers are what it sees next. */
  readonly tools?: readonly Tool<never, S>[];
  /** How calls are written (default: `terse` for models that read characters, `tagged()` for others). */
  readonly format?: CallFormat;
  /** Most turns of the model's (default 8). A conversation that goes on is cut off. */
  readonly turns?: number;
  /** The world's state as a conversation begins, which tools and turns change (default: a copy of the problem's data). */
  begin?(problem: Problem<T>, random: Generator): S;
  /** What the world says to a turn that calls no tool. Without it, such a turn is the answer, and the conversation ends. */
  turn?(state: S, message: Message, random: Generator): Turn | Promise<Turn>;
  /**
   * An agent that exists already, in the place of conversations that are held here: it talks to the model in training through the API at
   * `baseURL`, as it would to any other, and what it returns is the answer. Every call that it makes is learned from.
   */
  agent?(access: AgentAccess<T>): unknown;
  /** Others that take turns, by their names: a partner, an opponent, one who thinks before another speaks. `turn` says whose turn is next. */
  readonly roles?: { readonly [name: string]: Role<T, S> };
  /** What a turn earned, whatever it did, after `answers` to it came: rewards for steps on the way. Beside what `turn` pays. */
  pay?(talk: Talk<S>, turn: Message, answers: readonly Message[]): number;
  /** Pays each turn for what it adds to the probability of the truth, as the model sees it. */
  readonly belief?: Belief<T, S>;
  /** The score from which on rewards of turns count; below it they are left out (Sun et al., 2025). */
  readonly gate?: number;
  /** What the model sees from now on in the place of all that was said: a summary, the last turns. Asked before each turn but the first. */
  rebuild?(talk: Talk<S>): readonly Message[] | undefined;
  /** Releases what the task holds: clients, processes. Commands call it when they end, and `close` of each tool; programs that train call them. */
  close?(): unknown;
  /** Players by the name of their skill: `expert` is imitated, the others are measured beside the model. */
  readonly players?: { readonly [skill: string]: ScriptedPlayer<T, S> };
}

/**
 * A family of problems that a program makes and checks: no download, as many as one likes, harder along its levels. `make` draws
 * everything from the generator it is given, so the same generator makes the same problem.
 */
export interface Family<T = unknown, S = never> extends Partial<Talking<T, S>> {
  /** Its name on the command line: `arithmetic`. */
  readonly id: string;
  /** One sentence: what is asked. */
  readonly about: string;
  /** Levels go from 1 to this. */
  readonly levels: number;
  /** Characters that prompts and answers are made of, for models that read characters. */
  readonly alphabet: string;
  /** Most characters of a prompt and of an answer, at the highest level. */
  readonly longest: {
    readonly prompt: number;
    /** Of a turn, where there are several. */
    readonly answer: number;
    /** Of all that is said, the problem too, where there are several turns (default: what so many turns and answers to them may take). */
    readonly talk?: number;
  };
  /** Problems that are listed instead of made: those to learn from, which are gone through in epochs, and those to measure by. */
  readonly listed?: { readonly train: readonly Problem<T>[]; readonly test: readonly Problem<T>[] };
  make(random: Generator, level: number): Omit<Problem<T>, "level">;
  /** Judges any text: right answers in all their forms, near misses, nonsense. It never throws. */
  verify(problem: Problem<T>, answer: string, talk?: Talk<S>): Verification | Promise<Verification>;
  /** A problem whose answer begins in a way that is given, which is seen and not learned from: where plays are led (`tasks.leading`). */
  led?(problem: Problem<T>, lead: string): Problem<T>;
  /** Wrong answers that look right: what its verifier is tested with, beside random changes of the right one. */
  nearMisses?(problem: Problem<T>, random: Generator): readonly string[];
}

/** A family, as it is. For the types of `data` to be inferred. */
export const family = <T, S = never>(f: Family<T, S>): Family<T> => f as unknown as Family<T>;

/** Most characters of all that is said about a problem, and ends of turns. */
export function longestTalk({ longest, turns = usualTurns }: Pick<Family, "longest" | "turns">): number {
  const { prompt, answer, talk = prompt + turns * (2 * answer + 2) } = longest;
  return talk;
}

/** Turns of a model where nobody says how many. */
export const usualTurns = 8;

/** Whether its problems are talked about in several turns. */
export const isTalked = ({ turn, tools, agent }: Pick<Family, "turn" | "tools" | "agent">): boolean =>
  turn !== undefined || agent !== undefined || (tools?.length ?? 0) > 0;
