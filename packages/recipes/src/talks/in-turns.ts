import type { JudgedEpisode, Selection, Snapshot } from "@reins/core";
import { conversedIn } from "@reins/language";

/**
 * One role learns while the others hold still, then the next, each for so many batches. The model's own is `"model"`. With `nn.resting` weights that do not learn do not
 * move at all.
 */
export function inTurns(roles: readonly string[], batches: number): Selection {
  let played = 0;
  return {
    choose(judged) {
      const role = roles[Math.floor(played++ / batches) % roles.length];
      return judged.filter((j) => roleOf(j) === role);
    },
    save: (): Snapshot => played,
    restore: (from) => {
      played = from as number;
    },
  };
}

const roleOf = ({ episode }: JudgedEpisode): string => conversedIn(episode).role ?? "model";
