import type { Episode, EpisodeSource, RolloutInput, Snapshot, Stage } from "@reins/core";
import { defaultRng, seedOf, stream } from "@reins/core/random";
import { answerLimit, problemOf, promptOf, type TextStageOptions, textEpisode } from "@reins/language";
import type { GptParams } from "@reins/nn";
import * as t from "@reins/tensor";
import { sums } from "../testbeds/sums.ts";
import { type Growth, groupOf, grow } from "./latr.parts.ts";

/** Share of a group that grows as a tree, at this share of the budget: the authors' steps 0, 10, 20, 80 and 200 of 500. */
export function treeShare(progress: number): number {
  const shares: readonly (readonly [number, number])[] = [
    [0.02, 1],
    [0.04, 0.75],
    [0.16, 0.5],
    [0.4, 0.25],
  ];
  return shares.find(([until]) => progress < until)?.[1] ?? 0;
}

/** Texts scored per call, and the longest text of this testbed: prompt, answer and end token. */
const [rows, longest] = [64, 24];

/** Probabilities of the tokens that follow some texts. */
function nextTokens({ start: { model } }: TextStageOptions) {
  const call = t.compile((params: GptParams, texts: t.Tensor, last: t.Tensor) => {
    const hidden = model.hidden(params, texts);
    const at = t.broadcastTo(t.reshape(last, [rows, 1, 1]), [rows, 1, hidden.shape[2]]);
    return t.softmax(t.reshape(model.logits(params, t.gather(hidden, at, 1)), [rows, model.vocabulary]));
  });
  return (params: GptParams, texts: readonly (readonly number[])[]): Float32Array[] => {
    const out: Float32Array[] = [];
    for (let from = 0; from < texts.length; from += rows) {
      const [tokens, last] = [new Int32Array(rows * longest), new Int32Array(rows)];
      const some = texts.slice(from, from + rows);
      some.forEach((text, r) => {
        tokens.set(text, r * longest);
        last[r] = text.length - 1;
      });
      const shaped = t.tensor(tokens, { shape: [rows, longest], dtype: "i32" });
      const found = Float32Array.from(call(params, shaped, t.tensor(last, { dtype: "i32" })).data);
      some.forEach((_, r) => out.push(found.subarray(r * model.vocabulary, (r + 1) * model.vocabulary)));
    }
    return out;
  };
}

/** Rollouts by lookahead trees, in place of independent samples. Without `lookahead` branches are never compared with their parents. */
export const lookaheadTrees =
  (stage: Stage, options: TextStageOptions, lookahead: boolean) =>
  (input: RolloutInput): EpisodeSource => {
    const samples = stage.play(input);
    const next = nextTokens(options);
    const seed = seedOf(input.key);
    let [steps, batches] = [0, 0];
    const how = (): Growth => {
      const random = defaultRng(stream(seed, "tree", batches));
      return {
        limit: answerLimit(options.task, options.limit),
        end: options.tokenizer.end,
        least: 0.25,
        within: 0.15,
        lookahead: 3,
        differing: lookahead ? 0.4 : 0,
        random: () => random.random(),
      };
    };
    return {
      get steps() {
        return steps + samples.steps;
      },
      next() {
        const share = treeShare(steps / sums.budget.full);
        if (share === 0) return samples.next();
        const items = input.task.next(input.statistics).map((item, i) => {
          const problem = problemOf(options, item);
          const { prompt } = promptOf(options, problem);
          const trees = Math.round(share * item.groupSize);
          const groups = [groupOf(prompt, trees), groupOf(prompt, item.groupSize - trees, true)];
          return { item, problem, prompt, groups, group: item.group ?? `${batches}/${i}` };
        });
        const params = input.weights as GptParams;
        steps += grow(
          items.flatMap((i) => i.groups),
          (texts) => next(params, texts),
          how(),
        );
        batches++;
        return items.flatMap(({ item, problem, prompt, groups, group }) =>
          groups
            .flatMap((g) => g.branches)
            .map(({ tokens }): Episode => {
              const ended = tokens.at(-1) === options.tokenizer.end ? "end" : "limit";
              return textEpisode(
                [
                  { by: "environment", tokens: prompt },
                  { by: "policy", tokens },
                ],
                {
                  task: `${options.task.id} ${problem.level}`,
                  group,
                  context: item.context,
                  truncated: ended === "limit",
                  answered: { problem, text: options.tokenizer.decode(tokens), ended },
                },
              );
            }),
        );
      },
      save: (): Snapshot => ({ steps, batches, samples: samples.save() }),
      restore(from) {
        const s = from as { steps: number; batches: number; samples: Snapshot };
        [steps, batches] = [s.steps, s.batches];
        samples.restore(s.samples);
      },
    };
  };
