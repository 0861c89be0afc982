import { type EnvContext, type EnvSpec, fail, ReinsError, type Snapshot } from "@reins/core";
import type { ResultOutlines, SharedColumns } from "./shared-columns.ts";

/** What a worker is started with. */
export interface Job {
  readonly file: string;
  readonly options: object;
  /** Copies that it plays. */
  readonly copies: number;
  /** Milliseconds after which a call without an answer is an error. */
  readonly timeout: number;
}

/** What a worker says when it can begin. */
export interface Started {
  readonly spec: EnvSpec;
  readonly outlines: ResultOutlines;
  /** Whether its copies are made one by one, so that what is saved of them can be dealt out anew. */
  readonly separate: boolean;
  readonly savable: boolean;
  readonly renders: boolean;
  readonly pictures: boolean;
}

/** What a worker is asked for that leads to other columns, as a step does. */
export type Change =
  | {
      readonly call: "reset";
      readonly seeds: readonly number[] | undefined;
      readonly context: EnvContext | undefined;
    }
  | { readonly call: "restore"; readonly from: Snapshot };

/** What a worker is asked for that has an answer. */
export type Question =
  | { readonly call: "share"; readonly memory: SharedArrayBuffer | undefined }
  | { readonly call: "save" }
  | { readonly call: "render"; readonly row: number }
  | { readonly call: "picture"; readonly row: number }
  | { readonly call: "close" };

/** Everything but a step. */
export type Call = Change | Question;

/** How a worker is reached: in a thread of this process, or in a process of its own. Whoever asks it for something waits, in this thread. */
export interface Carrier {
  /** Waits until the environment is made, and says what it is like. */
  started(): Started;
  /** Memory for the columns of both sides. */
  readonly allocate: (bytes: number) => ArrayBufferLike;
  /** These columns are written and read from now on; `rows` are their places among all. */
  share(columns: SharedColumns, rows: Span): void;
  /** Lets it take a step, or change in another way, for which {@link finish} waits. */
  begin(change?: Change): void;
  finish(): void;
  /** Asks for anything else, and waits for the answer. */
  ask(question: Question): unknown;
  /** Ends the worker, after the environment has been closed if it still answers. */
  close(): void;
}

/** The other end: how a worker hears what is asked of it, and answers. */
export interface Line {
  /** Waits for what is asked next: undefined is a step. */
  hear(): Call | undefined;
  readonly allocate: (shared: SharedArrayBuffer | undefined) => (bytes: number) => ArrayBufferLike;
  /** The columns hold what a step or a change led to. */
  changed(columns: SharedColumns): void;
  answer(value: unknown): void;
  fail(failure: Failure): void;
}

/** Some rows among all. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** An error as one side tells the other. */
export interface Failure {
  readonly message: string;
  readonly stack: string | undefined;
}

/** What is told of an error: where an environment's own one arose, not where it was caught. */
export function failureOf(error: unknown): Failure {
  const origin = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return {
    message: error instanceof Error ? error.message : String(error),
    stack: origin instanceof Error ? origin.stack : undefined,
  };
}

/** What a worker is called in messages, and what befalls it. */
export class Identity {
  /** The rows that it plays, and the environment there, as soon as they are known. */
  rows: Span = { from: 0, to: 0 };
  id: string | undefined;
  private readonly file: string;
  private readonly name: string;

  /** `name` as in "worker thread 2 of 3". */
  constructor(file: string, name: string) {
    this.file = file;
    this.name = name;
  }

  /** Throws an error of the environment, in which the worker has counted its own rows. */
  failed({ message, stack }: Failure): never {
    const cause = new Error(message);
    if (stack) cause.stack = stack;
    const { from } = this.rows;
    const here = message.replace(/, row (\d+):/, (_, row) => `, row ${Number(row) + from}:`);
    throw new ReinsError(here === message && !message.includes(": ") ? `${this.file}: ${message}` : here, {
      cause,
    });
  }

  late(milliseconds: number): never {
    return fail(this.file, `${this.whole} gave no answer for ${milliseconds} ms. { timeout } allows more.`);
  }

  /** Throws that it is gone, and why. */
  ended(why: string): never {
    return fail(this.file, `${this.whole} has ended: ${why}`);
  }

  private get whole(): string {
    const { rows, id, name } = this;
    if (id === undefined) return name;
    const plays = rows.to - rows.from > 1 ? `rows ${rows.from} to ${rows.to - 1}` : `row ${rows.from}`;
    return `${name}, which plays ${plays} of ${id},`;
  }
}
