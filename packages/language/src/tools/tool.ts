import type { Generator } from "@reins/core";
import type { ArgumentsOf, ToolSchema } from "./schema-types.ts";

/** What a tool is given beside its arguments. */
export interface ToolContext<S = unknown> {
  /** The world's state, which a tool may change. Each conversation has its own. */
  readonly state: S;
  /** What tools keep of this conversation from one call to the next, each under a name of its own. */
  readonly store: Map<string, unknown>;
  /** Chance that is the same for the same seed. */
  readonly random: Generator;
  /** Ends what nobody waits for any more: the time is up, or the conversation has ended. */
  readonly signal: AbortSignal;
}

/** Something that a model can use: it writes a call, and gets an answer. */
export interface Tool<A = never, S = unknown> {
  readonly name: string;
  /** What it does, for the model to read. */
  readonly about: string;
  /** What its arguments must be; they are checked before it runs. */
  readonly parameters: ToolSchema;
  /** Milliseconds that it may take (default 10,000). */
  readonly timeout?: number;
  /** Most characters of an answer; the rest is cut off, and the model is told so (default 4,000). */
  readonly characters?: number;
  /** What a call costs, as a part of the reward. */
  readonly price?: number;
  /** What it answers: a text, or anything that can be written as JSON. What it throws is an answer too, as an error. */
  run(args: A, context: ToolContext<S>): unknown;
  /** Releases what it holds: a client, a process. Commands call it when they end; programs that train call it themselves. */
  close?(): unknown;
}

/** A tool, as it is. Its arguments have the types that its schema says; the state has that of `run`'s context. */
export function tool<const P extends ToolSchema, S = unknown>(
  t: Omit<Tool<ArgumentsOf<P>, S>, "parameters"> & { readonly parameters: P },
): Tool<never, S>;
/** A tool whose types are given: those of its arguments, and of the state. */
export function tool<A, S = unknown>(t: Tool<A, S>): Tool<never, S>;
export function tool<S>(t: Tool<never, S>): Tool<never, S> {
  return t;
}
