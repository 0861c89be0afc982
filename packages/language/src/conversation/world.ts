import { defaultRng, fail, type Generator, said, stream } from "@reins/core";
import type { Family, Problem, Talk, Turn } from "../tasks/family.ts";
import { type Message, roles } from "../tokenizers/message.ts";
import { inTime } from "../tools/in-time.ts";
import { reasonOf } from "../tools/reason.ts";

/** Milliseconds that a world may take to answer a turn. */
const patience = 10_000;

/** What a world gave, or what is wrong with it. */
export type Told<T> = { readonly value: T; readonly wrong?: undefined } | { readonly wrong: string };

/** The world of one conversation. Nothing that breaks in it is thrown: it is told. */
export class World {
  state: unknown;
  /** What tools keep. */
  readonly store: Map<string, unknown>;
  private readonly family: Family;
  private readonly problem: Problem;
  private readonly random: Generator;

  constructor(family: Family, problem: Problem, seed: number, from?: World) {
    this.family = family;
    this.problem = problem;
    this.random = defaultRng(seed);
    this.store = from ? structuredClone(from.store) : new Map();
    if (from) this.state = structuredClone(from.state);
  }

  begin(): Told<void> {
    const { family, problem } = this;
    return guarded("its world did not begin", () => {
      this.state = family.begin ? family.begin(problem, this.random) : structuredClone(problem.data);
      if (this.state instanceof Promise)
        throw new Error("begin must give the state at once, and gave a promise");
    });
  }

  /** What it says to a turn. */
  async turn(message: Message): Promise<Told<Turn>> {
    const { family, state, random } = this;
    try {
      const turn = await inTime(
        Promise.resolve().then(() => family.turn!(state as never, message, random)),
        patience,
      );
      const wrong = turnFault(turn);
      return wrong === undefined ? paid(turn.reward ?? 0, turn) : { wrong: `its world failed: ${wrong}` };
    } catch (error) {
      return { wrong: `its world failed: ${reasonOf(error)}` };
    }
  }

  /** What a turn earned beside that. */
  pay(talk: Talk, turn: Message, answers: readonly Message[]): Told<number> {
    const { family } = this;
    if (!family.pay) return { value: 0 };
    const told = guarded("it could not say what a turn earned", () =>
      family.pay!(talk as Talk<never>, turn, answers),
    );
    return told.wrong === undefined ? paid(told.value, told.value) : told;
  }

  /** What is seen from now on in the place of what was said, if anything is. */
  rebuild(talk: Talk): Told<readonly Message[] | undefined> {
    const { family } = this;
    return guarded("it could not put what was said in other words", () => {
      const seen = family.rebuild?.(talk as Talk<never>);
      return seen === undefined ? undefined : messagesIn(seen);
    });
  }

  /** What the model should come to know. */
  truth(): Told<string> {
    const { family, problem, state } = this;
    return guarded("it could not say what is true", () =>
      textIn(family.belief!.truth(problem, state as never)),
    );
  }

  /** What somebody else sees first who has a turn. */
  opening(role: string): Told<readonly Message[]> {
    const { roles = {} } = this.family;
    const found = Object.hasOwn(roles, role) ? roles[role] : undefined;
    if (!found) return { wrong: `its world gave the next turn to ${role}, and there is no such role` };
    return guarded(`the part of ${role} did not begin`, () =>
      messagesIn(found.opening(this.problem, this.state as never)),
    );
  }

  /** The same from here on with chance of its own. */
  fork(seed: number): World {
    const { family, problem } = this;
    try {
      return new World(family, problem, stream(seed, "fork"), this);
    } catch (error) {
      return fail(
        `task ${family.id}`,
        `it cannot be forked: its state, or what a tool keeps, is no plain data (${reasonOf(error)}).`,
      );
    }
  }
}

/** What is wrong with a world's answer. */
function turnFault(turn: Turn): string | undefined {
  if (typeof turn !== "object" || turn === null) return `its answer to a turn is ${said(turn)}`;
  const { say, calls = [], to } = turn;
  if (say !== undefined && typeof say !== "string") return `it says ${said(say)}, which is no text`;
  if (to !== undefined && typeof to !== "string") return `the next turn is for ${said(to)}, which is no name`;
  if (!Array.isArray(calls) || calls.some((c) => typeof c?.name !== "string"))
    return "its calls must be a list, each with a name";
  return undefined;
}

function textIn(text: unknown): string {
  if (typeof text !== "string") throw new Error(`it is ${said(text)}, which is no text`);
  return text;
}

function messagesIn(messages: readonly Message[]): readonly Message[] {
  if (!Array.isArray(messages) || messages.length === 0)
    throw new Error(`what is seen must be a list of messages, and is ${said(messages)}`);
  for (const m of messages) {
    if (!roles.includes(m?.role)) throw new Error(`the role of a message is ${said(m?.role)}`);
    textIn(m.content);
  }
  return messages;
}

function guarded<T>(what: string, get: () => T): Told<T> {
  try {
    return { value: get() };
  } catch (error) {
    return { wrong: `${what}: ${reasonOf(error)}` };
  }
}

const paid = <T>(reward: number, value: T): Told<T> =>
  Number.isFinite(reward) ? { value } : { wrong: `the reward of a turn is ${said(reward)}` };
