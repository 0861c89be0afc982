import type { Task, TaskItem } from "@reins/core";
import { makers } from "@reins/core/episodes";
import type { EpisodicParts } from "@reins/core/loops";
import * as targets from "@reins/core/targets";
import { verifier } from "@reins/language";
import type { Tensor } from "@reins/tensor";
import { type Answer, byLength, type LengthReward } from "../shared/length-rewards.ts";
import { isDirect, lengthsTask } from "../testbeds/lengths.ts";

/** Penalties of reasoning that is missing, of reasoning that is not needed, and of a wrong format. */
const [missing, overused, malformed] = [0.2, 0.3, 1];

/** The label of a problem, by its number of digits: whether it needs reasoning. */
export const needsReasoning = (level: unknown): boolean => Number(level) >= 4;

/** Correctness minus the penalties. The first stage has that of the format only. */
export function reward(a: Answer, stage: 1 | 2): number {
  const format = a.text.includes("#") ? 0 : malformed;
  if (stage === 1) return Number(a.right) - format;
  const needed = needsReasoning(a.context?.level);
  const decision = isDirect(a.text) ? Number(needed) * missing : Number(!needed) * overused;
  return Number(a.right) - decision - format;
}

const policy = makers.indexOf("policy");

/** Targets without the decision of each answer, its first step, which then does not enter the loss. */
export function withoutDecisions(by: ArrayLike<number>, advantage: Float32Array): Float32Array {
  return advantage.map((a, i) => (by[i] === policy && by[i - 1] !== policy ? 0 : a));
}

/** Another task's problems that need reasoning. */
function reasoned(given: Task) {
  let waiting: TaskItem[] = [];
  return (statistics: Parameters<Task["next"]>[0]): TaskItem[] => {
    const first = given.next(statistics);
    const needed = (items: readonly TaskItem[]) => items.filter((p) => needsReasoning(p.context?.level));
    waiting.push(...needed(first));
    while (waiting.length < first.length) waiting.push(...needed(given.next(statistics)));
    const chosen = waiting.slice(0, first.length);
    waiting = waiting.slice(first.length);
    return chosen;
  };
}

/** Settings of {@link adaCot}. */
export interface AdaCotOptions {
  /** Generated tokens of a run, of which each stage has half. */
  readonly tokens: number;
  /** Whether the first stage leaves the decision out of the loss. */
  readonly masks: boolean;
}

/** Two stages: problems that need reasoning, without the decision in the loss; then all problems, with penalties of the decision. */
export const adaCot =
  ({ tokens, masks }: AdaCotOptions) =>
  (given: Task): Required<Pick<EpisodicParts, "task" | "judge" | "target">> => {
    let [used, stage]: [number, 1 | 2] = [0, 1];
    const isFirst = () => used < tokens / 2;
    const hard = reasoned(given);
    const rewards: LengthReward = (groups) => {
      stage = isFirst() ? 1 : 2;
      used += groups.flat().reduce((sum, a) => sum + a.length, 0);
      return groups.map((group) => group.map((a) => reward(a, stage)));
    };
    return {
      task: { ...given, next: (statistics) => (isFirst() ? hard(statistics) : given.next(statistics)) },
      judge: byLength(verifier(lengthsTask), rewards),
      target(batch, all) {
        const own = targets.spread(targets.groupRelative(all, targets.groupsOf(batch)), batch);
        const isMasked = masks && stage === 1;
        return { advantage: isMasked ? withoutDecisions((batch.columns.by as Tensor).data, own) : own };
      },
    };
  };
