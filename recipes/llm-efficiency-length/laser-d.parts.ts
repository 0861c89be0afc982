import { type Answer, type LengthReward, solveRate } from "../shared/length-rewards.ts";

/** Solve rates at which the medium and the easy band begin. */
const bounds = [1 / 3, 2 / 3];
/** Bonus of a correct answer within its target length. */
const bonus = 0.5;

/** The difficulty band of a solve rate: 0 is hard, 2 is easy. */
export const bandOf = (rate: number): number => bounds.filter((b) => rate >= b).length;

/** The shortest length within which one of the answers that a problem of the band must solve is expected; `most` if there is none. */
export function targetLength(lengths: readonly number[], band: number, groupSize: number, most: number) {
  const needed = Math.max(1, Math.floor((groupSize * band) / 3));
  for (let length = 1; length < most; length++) {
    const covered = lengths.filter((l) => l <= length).length / lengths.length;
    if (lengths.length > 0 && Math.floor(covered * needed) >= 1) return length;
  }
  return most;
}

const outcome = ({ right, truncated }: Answer) => (right ? 1 : truncated ? -1 : -0.5);

/**
 * The step reward of LASER-D: 1 for a correct answer, and 1/2 more if it is within the target length of its band. Targets are
 * estimated anew after every `every` batches, from the answers of these batches. `banded`: whether bands have targets of their own.
 */
export const laserD =
  (most: number, banded: boolean, every = 5) =>
  (): LengthReward => {
    const bands = [0, 1, 2];
    let targets = bands.map(() => most);
    let [seen, batches]: [number[][], number] = [bands.map(() => []), 0];
    return (groups) => {
      const bandOfGroup = (group: readonly Answer[]) => (banded ? bandOf(solveRate(group)) : 1);
      const rewards = groups.map((group) => {
        const target = targets[bandOfGroup(group)];
        return group.map((a) => outcome(a) + (a.right && a.length <= target ? bonus : 0));
      });
      for (const group of groups) seen[bandOfGroup(group)].push(...group.map((a) => a.length));
      if (++batches % every === 0) {
        const size = groups[0].length;
        targets = bands.map((band) => targetLength(seen[band], band, size, most));
        seen = bands.map(() => []);
      }
      return rewards;
    };
  };
