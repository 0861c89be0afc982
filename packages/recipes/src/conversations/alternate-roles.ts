import type { JudgedEpisode, Selection, Snapshot } from "@reins/core";
import { conversationResult } from "@reins/language";

/**
 * Alternating training: one role learns while the others are frozen, then the next, each for this many batches. The model's own role is `"model"`. With `nn.resting`, frozen weights do not
 * change at all.
 */
export function alternateRoles(roles: readonly string[], batches: number): Selection {
  let played = 0;
  return {
    select(judged) {
      const role = roles[Math.floor(played++ / batches) % roles.length];
      return judged.filter((j) => roleOf(j) === role);
    },
    save: (): Snapshot => played,
    restore: (from) => {
      played = from as number;
    },
  };
}

const roleOf = ({ episode }: JudgedEpisode): string => conversationResult(episode).role ?? "model";
