import { type Tensor, tensor } from "@reins/tensor";
import type { EncodedText, ExampleEncoder } from "../examples/encoder.ts";
import { demonstrationEpisode, type TaughtEpisode } from "./example-episodes.ts";

/** Completions of the examples of a batch, those of an example as one group, with their scores. */
export const comparisonEpisodes = (
  task: string,
  examples: readonly (readonly EncodedText[])[],
  batch: number,
): TaughtEpisode[] =>
  examples.flatMap((texts, i) =>
    texts.map((text) =>
      Object.assign(demonstrationEpisode(task, text), {
        score: text.score,
        group: `${batch}/${i}`,
        ...(text.margin === undefined ? {} : { margin: text.margin }),
      }),
    ),
  );

/**
 * Each completion, followed by that of the next example as a completion of this one: without a score, in a group of its own, and not counted
 * in steps. Methods estimate the divergence from a reference policy on them.
 */
export const mismatchedEpisodes = (
  task: string,
  examples: readonly (readonly EncodedText[])[],
  batch: number,
  { mismatch }: Pick<ExampleEncoder, "mismatch">,
): TaughtEpisode[] =>
  examples.flatMap((texts, i) => {
    const others = examples[(i + 1) % examples.length];
    return texts.flatMap((text, c) => {
      const group = `${batch}/${i}`;
      const other = demonstrationEpisode(task, mismatch(text, others[c % others.length]));
      return [
        Object.assign(demonstrationEpisode(task, text), { score: text.score, group }),
        Object.assign(other, { group: `${group}/${c}`, learned: 0 }),
      ];
    });
  });

/** Completions with labelled steps, each in a group of its own. The column `label` is 1 or −1 at the last token of a step. */
export const stepEpisodes = (
  task: string,
  examples: readonly (readonly EncodedText[])[],
  batch: number,
): TaughtEpisode[] =>
  examples.flatMap((texts, i) =>
    texts.map((text, t) => {
      const episode = demonstrationEpisode(task, text);
      const label = new Float32Array((episode.columns.by as Tensor).size);
      let tokens = 0;
      text.spans.forEach((span, s) => {
        tokens += span.tokens.length;
        const right = text.labels?.[s];
        // The first token of a text is not chosen.
        if (right !== undefined) label[tokens - 2] = right ? 1 : -1;
      });
      const columns = { ...episode.columns, label: tensor(label) };
      return Object.assign(episode, { columns, score: 1, group: `${batch}/${i}/${t}` });
    }),
  );
