import { type Algorithm, fail, type OptionsOf, type OptionTable, type Task, type Variant } from "@reins/core";
import * as judges from "@reins/core/judges";
import type { EpisodicParts } from "@reins/core/loops";
import { requireTask } from "@reins/language";
import { armAlgorithm, gridOptions, isMaker } from "../arm-algorithm.ts";
import type { Grid } from "../grid.ts";
import type { Arm, Trial } from "../recipe.ts";
import { contentOf } from "./arm-content.ts";
import type { LanguageArmRunOptions, LanguageArmSetting, LanguageArmTask } from "./arm-options.ts";
import { imitationStart } from "./imitation.ts";
import { mixed } from "./level-mixture.ts";
import { promptSet } from "./prompt-set.ts";
import { reinforceArm } from "./reinforcement.ts";

/**
 * An arm on a language task: a tiny model that has imitated a teacher's answers is trained with rewards and evaluated on held-out problems.
 *
 *     languageArm({ name: "GRPO", task: sorting, levels: [1, 2], model: { width: 32, imitation: 100_000 }, algorithm: grpo });
 *
 * Its values are `accuracy` at the end, `area` (its mean along training) and `before`; `tokens` and `entropy` of an answer, `calibration`;
 * `solved/1` and `tokens/1` of each level; `flat` (share of groups with equal rewards), `answers` (samples per problem), `groups` (trained on
 * per update), `updates`; `pass@k` and `maj@k` if `score.samples` is above 1, `accuracy/updates` if `score.updates` is
 * set; and, as means over all rounds, `policy/entropy`, `policy/clipped`, `policy/kl`, `reward/mean`, `gradient/norm` and
 * the metrics of `also`.
 */
export function languageArm<T extends OptionTable, const G extends Grid = Grid>(
  o: LanguageArmRunOptions<T, G>,
): Arm {
  requireTask(o.name, o);
  const content = contentOf(o);
  return {
    name: o.name,
    ...(o.grid && { grid: o.grid }),
    ...(o.budget && { budget: o.budget }),
    ...(content !== undefined && { content }),
    async run(trial: Trial<G>) {
      const { values, early, used } = await played(o, trial);
      return { values, early, used };
    },
  };
}

/**
 * Arms on one task: common options are given once, and each arm has a name, a method and its differences.
 *
 *     const arm = languageArms({ task: sorting, levels: [1], model: { imitation: 100_000 }, options: { groups: 32 } });
 *     arm("GRPO", grpo);
 *     arm("GRPO, higher clip", grpo, { clipHigh: 0.28 });
 */
export const languageArms =
  ({
    options: shared,
    ...common
  }: LanguageArmTask & { readonly options?: { readonly [name: string]: unknown } }) =>
  <T extends OptionTable, const G extends Grid = Grid>(
    name: string,
    algorithm: LanguageArmRunOptions<T, G>["algorithm"],
    options?: OptionsOf<T>,
    own?: Omit<LanguageArmRunOptions<T, G>, "name" | "algorithm" | "options" | keyof LanguageArmSetting>,
  ): Arm =>
    languageArm({ ...common, name, algorithm, options: { ...shared, ...options } as OptionsOf<T>, ...own });

/** Runs a trial of the arm. */
async function played<T extends OptionTable, G extends Grid>(
  o: LanguageArmRunOptions<T, G>,
  trial: Trial<G>,
) {
  const { task, levels, played = levels, model, score } = settingOf(o, trial.quick);
  const words = { task, levels, from: trial.seed, ...model };
  const { levels: measured = played, ...scoring } = score ?? {};
  return reinforceArm({
    ...words,
    measured,
    ...scoring,
    ...learner(o, trial, played),
    start: await trial.warm(imitationStart(words)),
    change: (stage, made) => {
      const judged = o.wholly ? { ...stage, judge: judges.allOrNothing(stage.judge) } : stage;
      return o.change?.(judged, made) ?? judged;
    },
    steps: trial.budget,
    seed: trial.seed,
    also: o.also,
    strict: o.strict,
  });
}

/** The options of a trial: a quick one has its own, and few evaluation problems. */
export function settingOf(
  o: LanguageArmSetting & Pick<LanguageArmRunOptions<OptionTable, Grid>, "quick">,
  isQuick: boolean,
) {
  const { task, levels, played, model, score, quick = {} } = o;
  const usual: LanguageArmSetting = { task, levels, played, model, score };
  if (!isQuick) return usual;
  return {
    ...usual,
    // Other levels are trained on as well.
    ...(quick.levels ? { played: undefined } : {}),
    ...quick,
    // A quick trial needs no unreliable teacher.
    model: { ...model, unreliable: undefined, ...quick.model },
    score: { ...score, problems: 20, ...quick.score },
  };
}

/** The algorithm at the point of the grid, and its problems: of all training levels, in the algorithm's number and group size. */
function learner<T extends OptionTable, G extends Grid>(
  o: LanguageArmRunOptions<T, G>,
  trial: Trial<G>,
  levels: readonly number[],
): { algorithm: Algorithm; source?: Task } {
  const { name, algorithm, options, parts } = o;
  const made = armAlgorithm(o, trial);
  const { groups, groupSize } = batchOf(made, o.prompts !== undefined);
  const counted = typeof groups === "number" && typeof groupSize === "number";
  const source = !counted
    ? undefined
    : o.prompts
      ? promptSet({ levels, perLevel: o.prompts, groups, groupSize, seed: trial.seed })
      : mixed(levels, groups, groupSize, trial.seed);
  if (!parts) return { algorithm: made, source };
  if (!isMaker(algorithm) || !source)
    return fail(name, "parts need a method that samples groups, such as grpo.");
  const own = parts(source);
  const variant: Variant<T, EpisodicParts> = { parts: () => own };
  return { algorithm: algorithm.with(made.name, variant)(gridOptions(options, trial)), source };
}

/** Problems per batch and samples of each. A method with a critic takes one sample of each problem of a fixed set. */
function batchOf({ options }: Algorithm, fixed: boolean): { groups?: unknown; groupSize?: unknown } {
  return fixed && options.groups === undefined ? { groups: options.envs, groupSize: 1 } : options;
}
