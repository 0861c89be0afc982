import { fail, type ScoringPolicy } from "@reins/core";
import type { TeacherComparison } from "@reins/core/losses";
import type { GptParams } from "@reins/nn";
import { expandDims, reshape, slice, stopGradient, Tensor } from "@reins/tensor";
import { teacherDivergence } from "./distillation.ts";
import type { LanguageModel } from "./models/language-model.ts";
import { type LanguagePolicyOptions, type LanguageWeights, languagePolicy } from "./policy.ts";
import { inBlocks } from "./row-blocks.ts";
import { textRows } from "./text-rows.ts";

/** Settings of {@link distillationPolicy}. */
export interface DistillationPolicyOptions extends LanguagePolicyOptions {
  /** A model of the same tokenizer. It is not trained. */
  readonly teacher: LanguageModel;
  readonly distillation: TeacherComparison;
}

/**
 * A language policy whose scores also have the divergence of its next-token distribution from a teacher's, as
 * `extra.teacher`, for distillation. Both distributions are over all tokens that the two vocabularies share: models of
 * one family may pad theirs to different sizes.
 */
export function distillationPolicy(options: DistillationPolicyOptions): ScoringPolicy<LanguageWeights> {
  const { model, teacher, logits: most = 2 ** 25 } = options;
  const base = languagePolicy(options);
  const shared = Math.min(model.vocabulary, teacher.model.vocabulary);
  const ofShared = (logits: Tensor) =>
    logits.shape.at(-1) === shared ? logits : slice(logits, [null, [0, shared]]);
  return {
    ...base,
    packed: undefined,
    score(weights, moment) {
      const { view, alive, key } = moment;
      const tokens = view.observation;
      if (!(tokens instanceof Tensor))
        return fail("distillation", "models that read images are not supported.");
      const { value: _, ...own } = weights;
      const { toRows, toColumn } = textRows(tokens.shape[0], model.longest);
      const texts = toRows(tokens);
      const { longest = texts.shape[1] } = teacher.model;
      if (texts.shape[1] > longest)
        fail(
          "distillation",
          `texts have up to ${texts.shape[1]} tokens, and the teacher has positions for ${longest}. Use shorter texts, or a teacher with a longer context.`,
        );
      const hidden = model.hidden(own, texts, { key });
      const theirs = stopGradient(teacher.model.hidden(teacher.params, texts));
      const [rows, time] = texts.shape;
      const flat = (t: Tensor) => reshape(t, [rows * time, ...t.shape.slice(2)]);
      // Adapters alone have no output layer: the frozen one gets no gradient.
      const weight = own.head?.weight ?? (own.tokens as GptParams["tokens"] | undefined)?.table;
      const holding = (w: Tensor | undefined): GptParams =>
        w ? { ...own, ...(own.head ? { head: { weight: w } } : { tokens: { table: w } }) } : own;
      // Both logits of a block are in memory at once, and so are their gradients.
      const block = Math.max(16, 16 * Math.floor(most / 4 / model.vocabulary / 16));
      const [divergence] = inBlocks(
        {
          hidden: flat(hidden),
          needed: alive && flat(toRows(alive)),
          beside: { theirs: flat(theirs) },
          weight,
        },
        { count: 1, block: Math.min(block, rows * time) },
        (student, { theirs }, w) =>
          expandDims(
            teacherDivergence(
              stopGradient(ofShared(teacher.model.logits(teacher.params, theirs))),
              ofShared(model.logits(holding(w), student)),
              options.distillation,
            ),
            0,
          ),
      );
      const scored = base.score(weights, moment);
      return { ...scored, extra: { ...scored.extra, teacher: toColumn(reshape(divergence, [rows, time])) } };
    },
  };
}
