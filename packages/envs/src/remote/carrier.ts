import { type EnvContext, type EnvSpec, fail, ReinsError, type Snapshot } from "@reins/core";
import type { ResultOutlines, SharedColumns } from "./shared-columns.ts";

/** Start parameters of a worker. */
export interface Job {
  readonly file: string;
  readonly options: object;
  /** Copies that it runs. */
  readonly copies: number;
  /** Timeout of a call in milliseconds. */
  readonly timeout: number;
}

/** A worker's first message. */
export interface Started {
  readonly spec: EnvSpec;
  readonly outlines: ResultOutlines;
  /** Whether its copies are created one by one, so that their saved states can be redistributed. */
  readonly separate: boolean;
  readonly savable: boolean;
  readonly renders: boolean;
  readonly pictures: boolean;
}

/** Requests that change the columns, as a step does. */
export type Change =
  | {
      readonly call: "reset";
      readonly seeds: readonly number[] | undefined;
      readonly context: EnvContext | undefined;
    }
  | { readonly call: "restore"; readonly from: Snapshot };

/** Requests with a reply. */
export type Question =
  | { readonly call: "share"; readonly memory: SharedArrayBuffer | undefined }
  | { readonly call: "save" }
  | { readonly call: "render"; readonly row: number }
  | { readonly call: "picture"; readonly row: number }
  | { readonly call: "close" };

/** Every request except a step. */
export type Call = Change | Question;

/** The connection to a worker: in a thread of this process, or in a separate process. Requests block this thread. */
export interface Carrier {
  /** Waits until the environment is created, and returns its description. */
  started(): Started;
  /** Memory for the columns of both sides. */
  readonly allocate: (bytes: number) => ArrayBufferLike;
  /** Sets the columns to read and write; `rows` are their places among all. */
  share(columns: SharedColumns, rows: Span): void;
  /** Starts a step or another change, for which {@link finish} waits. */
  begin(change?: Change): void;
  finish(): void;
  /** Sends any other request, and waits for the reply. */
  ask(question: Question): unknown;
  /** Ends the worker, after closing the environment if it still responds. */
  close(): void;
}

/** The worker's end: receives requests and replies. */
export interface Line {
  /** Waits for the next request: undefined is a step. */
  hear(): Call | undefined;
  readonly allocate: (shared: SharedArrayBuffer | undefined) => (bytes: number) => ArrayBufferLike;
  /** The columns hold the results of a step or a change. */
  changed(columns: SharedColumns): void;
  answer(value: unknown): void;
  fail(failure: Failure): void;
}

/** A range of rows. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** An error as sent between the two sides. */
export interface Failure {
  readonly message: string;
  readonly stack: string | undefined;
}

/** A serialised error: the stack of an environment's own error, not of where it was caught. */
export function failureOf(error: unknown): Failure {
  const origin = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return {
    message: error instanceof Error ? error.message : String(error),
    stack: origin instanceof Error ? origin.stack : undefined,
  };
}

/** A worker's name in messages, and its errors. */
export class Identity {
  /** Its rows and environment, once known. */
  rows: Span = { from: 0, to: 0 };
  id: string | undefined;
  private readonly file: string;
  private readonly name: string;

  /** `name` as in "worker thread 2 of 3". */
  constructor(file: string, name: string) {
    this.file = file;
    this.name = name;
  }

  /** Throws an error of the environment, with the worker's own row numbers. */
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
    return fail(
      this.file,
      `${this.whole} did not reply within ${milliseconds} ms. Raise { timeout } for slow environments.`,
    );
  }

  /** Throws that the worker has ended, and why. */
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
