import { grpo } from "@reins/algorithms";
import type { Stage } from "@reins/core";
import { type TextStageOptions, textStage } from "@reins/language";
import type { Side } from "../recipe.ts";
import { wordsSides } from "../words/side.ts";
import { tableQuestions } from "./tables.ts";

/** Sides that answer {@link tableQuestions}: all levels in equal shares, by a model that has imitated someone who often goes wrong. */
export const tableSides = wordsSides({
  family: tableQuestions(),
  levels: [1, 2, 3, 4],
  model: { layers: 1, width: 32, imitation: 60_000 },
  options: { groups: 8, plays: 8, epochs: 1, clipNorm: 1 },
  score: { problems: 60, looks: 1 },
  quick: { model: { imitation: 40_000 } },
});

const silent = tableQuestions({ id: "tables without tools", tools: [], turn: () => ({ done: true }) });

/**
 * GRPO that learns without tools: a call is nothing but a wrong answer, and tables must be learned by heart. Where models are measured there are tools, whoever asks them.
 */
export function textOnly(name: string): Side {
  const plain = tableSides(name, grpo);
  const change = (_: Stage, options: TextStageOptions) => textStage({ ...options, family: silent });
  // All that it does is said by the words, so that it is run once for all recipes.
  return { ...tableSides(name, grpo, {}, { change }), content: [plain.content, "learns without tools"] };
}
