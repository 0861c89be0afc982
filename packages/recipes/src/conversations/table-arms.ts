import { grpo } from "@reins/algorithms";
import type { Stage } from "@reins/core";
import { type TextStageOptions, textStage } from "@reins/language";
import { languageArms } from "../language/arm.ts";
import type { Arm } from "../recipe.ts";
import { tableQuestions } from "./tables.ts";

/** Arms that answer {@link tableQuestions}: all levels in equal shares, with a model that has imitated an unreliable teacher. */
export const tableArms = languageArms({
  task: tableQuestions(),
  levels: [1, 2, 3, 4],
  model: { layers: 1, width: 32, imitation: 60_000 },
  options: { groups: 8, groupSize: 8, epochs: 1, clipNorm: 1 },
  score: { problems: 60, looks: 1 },
  quick: { model: { imitation: 40_000 } },
});

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
