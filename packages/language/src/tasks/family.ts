import type { Generator } from "@reins/core";
import type { Image } from "../models/pictures.ts";
import type { Message } from "../tokenizers/message.ts";

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
  /** What the verifier looks at. */
  readonly data: T;
  readonly level: number;
}

/** What a verifier says of an answer. */
export interface Verification {
  /** From 0 (wrong) to 1 (right); between them where parts can be right. */
  readonly score: number;
  /** What the score is made of, by name. */
  readonly terms?: { readonly [name: string]: number };
  /** Whether the answer had the form that was asked for, right or wrong; not said where any form will do. */
  readonly formed?: boolean;
  /** Why it is not right, for people. */
  readonly why?: string;
}

/**
 * A family of problems that a program makes and checks: no download, as many as one likes, harder along its levels. `make` draws
 * everything from the generator it is given, so the same generator makes the same problem.
 */
export interface Family<T = unknown> {
  /** Its name on the command line: `arithmetic`. */
  readonly id: string;
  /** One sentence: what is asked. */
  readonly about: string;
  /** Levels go from 1 to this. */
  readonly levels: number;
  /** Characters that prompts and answers are made of, for models that read characters. */
  readonly alphabet: string;
  /** Most characters of a prompt and of an answer, at the highest level. */
  readonly longest: { readonly prompt: number; readonly answer: number };
  /** Problems that are listed instead of made: those to learn from, which are gone through in epochs, and those to measure by. */
  readonly listed?: { readonly train: readonly Problem<T>[]; readonly test: readonly Problem<T>[] };
  make(random: Generator, level: number): Omit<Problem<T>, "level">;
  /** Judges any text: right answers in all their forms, near misses, nonsense. It never throws. */
  verify(problem: Problem<T>, answer: string): Verification | Promise<Verification>;
  /** Wrong answers that look right: what its verifier is tested with, beside random changes of the right one. */
  nearMisses?(problem: Problem<T>, random: Generator): readonly string[];
}

/** A family, as it is. For the types of `data` to be inferred. */
export const family = <T>(f: Family<T>): Family<T> => f;
