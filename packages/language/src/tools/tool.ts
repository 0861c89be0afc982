import type { Generator } from "@reins/core/random";
import type { ArgumentsOf, ToolSchema } from "./schema-types.ts";

/** Context of a tool call. */
export interface ToolContext<S = unknown> {
  /** The environment's state, which a tool may change. Each conversation has its own. */
  readonly state: S;
  /** Data that tools keep between calls of a conversation, each under its own name. */
  readonly store: Map<string, unknown>;
  /** Random numbers, the same for the same seed. */
  readonly random: Generator;
  /** Aborts when the call times out or the conversation ends. */
  readonly signal: AbortSignal;
}

/** A tool: a model writes a call and gets a result. */
export interface Tool<A = never, S = unknown> {
  readonly name: string;
  /** Description for the model. */
  readonly about: string;
  /** Schema of the arguments, which are validated before the call. */
  readonly parameters: ToolSchema;
  /** Timeout in milliseconds (default 10,000). */
  readonly timeout?: number;
  /** Maximum characters of a result; longer results are truncated with a note to the model (default 4,000). */
  readonly characters?: number;
  /** Cost of a call, subtracted from the reward. */
  readonly price?: number;
  /** Returns the result: a string or any JSON value. Errors are sent to the model. */
  run(args: A, context: ToolContext<S>): unknown;
  /**
   * Releases resources: a client, a process. Commands call it when they end; programs that train call it themselves.
   */
  close?(): unknown;
}

/** Defines a tool. Arguments have the types of its schema; the state has the type of `run`'s context. */
export function tool<const P extends ToolSchema, S = unknown>(
  t: Omit<Tool<ArgumentsOf<P>, S>, "parameters"> & { readonly parameters: P },
): Tool<never, S>;
/** Defines a tool with explicit types of its arguments and the state. */
export function tool<A, S = unknown>(t: Tool<A, S>): Tool<never, S>;
export function tool<S>(t: Tool<never, S>): Tool<never, S> {
  return t;
}
