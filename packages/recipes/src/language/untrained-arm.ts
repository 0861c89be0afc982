import { stream } from "@reins/core/random";
import { conversationVerdict, expertConversation, sampleProblem } from "@reins/language";
import { byName } from "../by-name.ts";
import { mean } from "../claims/table.ts";
import type { Arm, Trial } from "../recipe.ts";
import { settingOf } from "./arm.ts";
import type { LanguageArmTask } from "./arm-options.ts";
import { imitationStart } from "./imitation.ts";
import { freshModel, stageOptions } from "./model.ts";
import type { LanguageArmOptions } from "./options.ts";
import { scorer, scoreValues } from "./score.ts";

/** Settings of {@link untrainedArm}. */
export interface UntrainedArmOptions extends Omit<LanguageArmTask, "change" | "also" | "wholly"> {
  readonly name: string;
  /** One of the task's scripted players, which is evaluated instead of the model. */
  readonly player?: string;
}

/**
 * An arm without training: the imitated model, or a scripted player of a multi-turn environment. It has nothing to tune,
 * so it belongs to the ablations. Its values are those values of {@link languageArm} that describe conversations.
 */
export function untrainedArm(o: UntrainedArmOptions): Arm {
  return {
    name: o.name,
    async run(trial: Trial) {
      const { task, levels, played = levels, model, score = {} } = settingOf(o, trial.quick);
      const words: LanguageArmOptions = { task, levels, from: trial.seed, ...model };
      const { levels: measured = played, problems = 200 } = score;
      if (o.player !== undefined) {
        const values = await scripted(words, o.player, measured, problems, trial.seed);
        return { values, early: [], used: 0 };
      }
      const start = await trial.warm(imitationStart(words));
      const look = scorer(words, start, { ...score, levels: measured }, trial.seed);
      return { values: scoreValues(await look(start.params), 1), early: [], used: 0 };
    },
  };
}

/** Evaluates a scripted player on the evaluation problems. */
async function scripted(
  words: LanguageArmOptions,
  player: string,
  levels: readonly number[],
  problems: number,
  seed: number,
): Promise<{ [name: string]: number }> {
  const { task } = words;
  const options = stageOptions(words, freshModel(words));
  const from = stream(seed, "evaluation");
  const at = (level: number) =>
    Promise.all(
      Array.from({ length: problems }, async (_, i) => {
        const problem = sampleProblem(task, level, "test", i, from);
        const { result, segments } = await expertConversation(
          options,
          problem,
          stream(from, "text", i),
          player,
        );
        const { terms = {} } = await conversationVerdict(task, result);
        const own = segments.flatMap((s) => s.spans).filter((p) => p.turn !== undefined);
        const counted = byName(
          Object.keys(terms),
          (n) => `term/${n}`,
          (n) => terms[n],
        );
        return { ...counted, tokens: own.reduce((sum, p) => sum + p.tokens.length, 0) };
      }),
    );
  const found = await Promise.all(levels.map(at));
  const names = [...new Set(found.flat().flatMap(Object.keys))];
  const of = (all: readonly { [name: string]: number }[], n: string) => mean(all.map((f) => f[n] ?? 0));
  return Object.fromEntries(
    names.flatMap((n) => [
      [n, mean(found.map((all) => of(all, n)))],
      ...levels.map((level, i) => [`${n}/${level}`, of(found[i], n)] as const),
    ]),
  );
}
