import { fail } from "@reins/core";
import { describeValue } from "@reins/core/errors";
import { defaultRng, type Generator, stream } from "@reins/core/random";
import { episodeOf, type ResolvedEpisode } from "../tasks/episode.ts";
import type { ConversationState, EnvironmentReply, Problem, TextTask } from "../tasks/text-task.ts";
import { type Message, roles } from "../tokenizers/message.ts";
import { reasonOf } from "../tools/reason.ts";
import { withTimeout } from "../tools/timeout.ts";

/** Milliseconds that an environment may take to reply to a turn. */
const timeout = 10_000;

/** A value from the environment, or its error. */
export type Result<T> = { readonly value: T; readonly wrong?: undefined } | { readonly wrong: string };

/** The environment of one conversation. Failures are returned, not thrown. */
export class Environment {
  state: unknown;
  /** State that tools keep. */
  readonly store: Map<string, unknown>;
  private readonly task: TextTask;
  private readonly episode: ResolvedEpisode;
  private readonly problem: Problem;
  private readonly random: Generator;

  constructor(task: TextTask, problem: Problem, seed: number, from?: Environment) {
    this.task = task;
    this.episode = episodeOf(task);
    this.problem = problem;
    this.random = defaultRng(seed);
    this.store = from ? structuredClone(from.store) : new Map();
    if (from) this.state = structuredClone(from.state);
  }

  begin(): Result<void> {
    const { episode, problem } = this;
    return guarded("begin() failed", () => {
      this.state = episode.begin ? episode.begin(problem, this.random) : structuredClone(problem.data);
      if (this.state instanceof Promise)
        throw new Error("begin must return the state synchronously, not a promise");
    });
  }

  /** The environment's reply to a turn. */
  async turn(message: Message): Promise<Result<EnvironmentReply>> {
    const { episode, state, random } = this;
    try {
      const reply = episode.turn!(state as never, message, random);
      // Only a promise can be late: a timer for each synchronous reply would cost more than most replies.
      const turn = isPromise(reply) ? await withTimeout(reply, timeout) : reply;
      const wrong = turnError(turn);
      return wrong === undefined
        ? checkedReward(turn.reward ?? 0, turn)
        : { wrong: `turn() failed: ${wrong}` };
    } catch (error) {
      return { wrong: `turn() failed: ${reasonOf(error)}` };
    }
  }

  /** Additional reward of a turn. */
  turnReward(conversation: ConversationState, turn: Message, answers: readonly Message[]): Result<number> {
    const { episode } = this;
    if (!episode.turnReward) return { value: 0 };
    const result = guarded("turnReward() failed", () =>
      episode.turnReward!(conversation as ConversationState<never>, turn, answers),
    );
    return result.wrong === undefined ? checkedReward(result.value, result.value) : result;
  }

  /** Messages that replace the conversation so far, if any. */
  rebuild(conversation: ConversationState): Result<readonly Message[] | undefined> {
    const { episode } = this;
    return guarded("rebuild() failed", () => {
      const seen = episode.rebuild?.(conversation as ConversationState<never>);
      return seen === undefined ? undefined : messagesIn(seen);
    });
  }

  /** The hidden fact that belief rewards refer to. */
  truth(): Result<string> {
    const { episode, problem, state } = this;
    return guarded("truth() failed", () => textIn(episode.belief!.truth(problem, state as never)));
  }

  /** Opening messages of another role. */
  opening(role: string): Result<readonly Message[]> {
    const { roles } = this.episode;
    const found = Object.hasOwn(roles, role) ? roles[role] : undefined;
    if (!found) return { wrong: `turn() gave the next turn to ${role}, which is not a role of the task` };
    return guarded(`opening() of role ${role} failed`, () =>
      messagesIn(found.opening(this.problem, this.state as never)),
    );
  }

  /** A copy that continues with its own random numbers. */
  fork(seed: number): Environment {
    const { task, problem } = this;
    try {
      return new Environment(task, problem, stream(seed, "fork"), this);
    } catch (error) {
      return fail(
        `task ${task.id}`,
        `it cannot be forked: its state or a tool's store is not plain data (${reasonOf(error)}).`,
      );
    }
  }
}

/** Whether a value must be awaited. */
const isPromise = <T>(x: T | Promise<T>): x is Promise<T> =>
  typeof (x as Partial<Promise<T>> | undefined)?.then === "function";

function turnError(turn: EnvironmentReply): string | undefined {
  if (typeof turn !== "object" || turn === null)
    return `it returned ${describeValue(turn)} instead of an object`;
  const { say, calls = [], to } = turn;
  if (say !== undefined && typeof say !== "string") return `say is ${describeValue(say)}, not a string`;
  if (to !== undefined && typeof to !== "string") return `to is ${describeValue(to)}, not a role name`;
  if (!Array.isArray(calls) || calls.some((c) => typeof c?.name !== "string"))
    return "calls must be an array, each with a name";
  return undefined;
}

function textIn(text: unknown): string {
  if (typeof text !== "string") throw new Error(`expected a string, got ${describeValue(text)}`);
  return text;
}

function messagesIn(messages: readonly Message[]): readonly Message[] {
  if (!Array.isArray(messages) || messages.length === 0)
    throw new Error(`expected a non-empty array of messages, got ${describeValue(messages)}`);
  for (const m of messages) {
    if (!roles.includes(m?.role)) throw new Error(`unknown message role ${describeValue(m?.role)}`);
    textIn(m.content);
  }
  return messages;
}

function guarded<T>(what: string, get: () => T): Result<T> {
  try {
    return { value: get() };
  } catch (error) {
    return { wrong: `${what}: ${reasonOf(error)}` };
  }
}

const checkedReward = <T>(reward: number, value: T): Result<T> =>
  Number.isFinite(reward) ? { value } : { wrong: `the reward of a turn is ${describeValue(reward)}` };
