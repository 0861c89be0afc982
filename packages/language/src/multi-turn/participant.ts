import type { ConversationContext, ConversationSegment } from "../chat/context.ts";
import type { Problem, Role } from "../tasks/text-task.ts";

/** A role in a conversation: its context, the rewards of its turns, the costs of its calls. */
export class Participant {
  readonly role: string;
  readonly context: ConversationContext;
  readonly rewards: number[] = [];
  price = 0;
  /** Probability of the truth before the last turn. */
  private belief: number | undefined;

  constructor(role: string, context: ConversationContext) {
    this.role = role;
    this.context = context;
  }

  /** Adds to the reward of the last turn. */
  addReward(reward: number): void {
    if (this.rewards.length) this.rewards[this.rewards.length - 1] += reward;
  }

  /** Rewards the last turn for the change in the probability of the truth. */
  rewardBelief(belief: number | undefined, weight: number): void {
    if (belief === undefined) return;
    this.addReward(weight * (belief - (this.belief ?? belief)));
    this.belief = belief;
  }

  get segments(): readonly ConversationSegment[] {
    return this.context.segments;
  }

  /** A copy that can be continued differently. */
  fork(): Participant {
    const other = new Participant(this.role, this.context.fork());
    other.rewards.push(...this.rewards);
    other.price = this.price;
    other.belief = this.belief;
    return other;
  }
}

/** Whether the role learns from its turns. */
export const learns = ({ by = "policy" }: Pick<Role, "by">): boolean => by === "policy" || by === "own";

/** The opening messages of a problem. */
export const openingOf = ({ messages, prompt }: Problem) =>
  messages ?? [{ role: "user" as const, content: prompt }];
