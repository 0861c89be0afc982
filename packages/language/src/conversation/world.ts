import { defaultRng, type Generator, said, stream } from "@reins/core";
import type { Family, Problem, Talk, Turn } from "../tasks/family.ts";
import type { Message } from "../tokenizers/message.ts";
import { inTime } from "../tools/in-time.ts";

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
      return paid(turn.reward ?? 0, turn);
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
    return guarded("it could not put what was said in other words", () =>
      family.rebuild?.(talk as Talk<never>),
    );
  }

  /** What the model should come to know. */
  truth(): Told<string> {
    const { family, problem, state } = this;
    return guarded("it could not say what is true", () => family.belief!.truth(problem, state as never));
  }

  /** What somebody else sees first who has a turn. */
  opening(role: string): Told<readonly Message[]> {
    const found = this.family.roles?.[role];
    if (!found) return { wrong: `its world gave the next turn to ${role}, and there is no such role` };
    return guarded(`the part of ${role} did not begin`, () =>
      found.opening(this.problem, this.state as never),
    );
  }

  /** The same from here on with chance of its own. */
  fork(seed: number): World {
    return new World(this.family, this.problem, stream(seed, "fork"), this);
  }
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

function guarded<T>(what: string, get: () => T): Told<T> {
  try {
    return { value: get() };
  } catch (error) {
    return { wrong: `${what}: ${reasonOf(error)}` };
  }
}

const paid = <T>(reward: number, value: T): Told<T> =>
  Number.isFinite(reward) ? { value } : { wrong: `the reward of a turn is ${said(reward)}` };
