import { grpo } from "@reins/algorithms";
import type { Stage } from "@reins/core";
import { type TextStageOptions, textStage } from "@reins/language";
import { languageArms } from "../language/arm.ts";
import type { Arm } from "../recipe.ts";
import { tableQuestions } from "./tables.ts";

/** All levels in equal shares, with a model that has imitated an unreliable teacher. Each arm ends before it exceeds its budget. */
const setting = {
  task: tableQuestions(),
  levels: [1, 2, 3, 4],
  model: { layers: 1, width: 32, imitation: 60_000 },
  prompts: 48,
  strict: true,
  score: { problems: 150, looks: 1 },
  quick: { model: { imitation: 40_000 } },
} as const;

/** Arms that answer {@link tableQuestions}. */
export const tableArms = languageArms({ ...setting, options: { groups: 8, groupSize: 8, clipNorm: 1 } });

/** Arms with a critic that answer {@link tableQuestions}. */
export const tableCriticArms = languageArms({
  ...setting,
  options: { envs: 64, minibatches: 1, gamma: 1, lambda: 1, clipNorm: 1 },
});

/** The settings that all arms are tuned over. */
export const tableGrid = { learningRate: [5e-4, 1e-3, 2e-3], epochs: [1, 2, 4] } as const;

const silent = tableQuestions({ id: "tables without tools", tools: [], turn: () => ({ done: true }) });

/**
 * GRPO trained without tools: a call is only a wrong answer, so tables must be memorised. Evaluation has tools.
 */
export function textOnly(name: string): Arm {
  const plain = tableArms(name, grpo);
  const change = (_: Stage, options: TextStageOptions) => textStage({ ...options, task: silent });
  // The name determines the arm completely, so it runs once for all recipes.
  return { ...tableArms(name, grpo, {}, { change }), content: [plain.content, "learns without tools"] };
}
