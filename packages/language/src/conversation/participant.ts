import type { Problem, Role } from "../tasks/family.ts";
import type { Context, Scene } from "./context.ts";

/** One who takes turns in a conversation: what they see of it, what their turns earned, what their calls cost. */
export class Participant {
  readonly role: string;
  readonly context: Context;
  readonly rewards: number[] = [];
  price = 0;
  /** How likely the truth was before their last turn. */
  private belief: number | undefined;

  constructor(role: string, context: Context) {
    this.role = role;
    this.context = context;
  }

  /** What their last turn earned, beside what it has. */
  earn(reward: number): void {
    if (this.rewards.length) this.rewards[this.rewards.length - 1] += reward;
  }

  /** Pays their last turn for what it added to how likely the truth is. */
  believe(belief: number | undefined, weight: number): void {
    if (belief === undefined) return;
    this.earn(weight * (belief - (this.belief ?? belief)));
    this.belief = belief;
  }

  get scenes(): readonly Scene[] {
    return this.context.scenes;
  }

  /** The same so far, to go on in another way. */
  fork(): Participant {
    const other = new Participant(this.role, this.context.fork());
    other.rewards.push(...this.rewards);
    other.price = this.price;
    other.belief = this.belief;
    return other;
  }
}

/** Whether somebody learns from their turns. */
export const learns = ({ by = "policy" }: Pick<Role, "by">): boolean => by === "policy" || by === "own";

/** A problem as a conversation begins with it. */
export const openingOf = ({ messages, prompt }: Problem) =>
  messages ?? [{ role: "user" as const, content: prompt }];
