import { type ExampleSource, exampleFault } from "@reins/core/examples";
import type { EncodedText, Example } from "@reins/language";

/** Token lengths of examples under a model's tokenizer. */
export interface TokenLengths {
  /** Examples whose tokens were counted. */
  readonly counted: number;
  readonly percentiles: { readonly [name: string]: number };
  readonly longest: number;
  /** Maximum tokens of the model. */
  readonly context: number;
  /** Examples that exceed it. */
  readonly longer: number;
  /** Examples that the chat template or the tokenizer refuses, and the first reason. */
  readonly failed?: { readonly count: number; readonly first: string };
}

/** A part of a rendered example. */
interface Part {
  readonly text: string;
  readonly learned: boolean;
}

/** Counts the tokens of up to `most` examples, evenly spread over the source. */
export async function lengthsOf(
  folder: string,
  source: ExampleSource<Example>,
  most: number,
): Promise<{ readonly lengths: TokenLengths; render(example: Example): readonly Part[] }> {
  const { exampleEncoder, loadTokenizer, modelContext, textWithSpecials } = await import("@reins/language");
  const context = await modelContext(folder);
  const tokenizer = await loadTokenizer(folder);
  const encoder = exampleEncoder({ tokenizer });
  const textsOf = (example: Example): readonly EncodedText[] =>
    encoder.comparison(example) ?? [encoder.demonstration(example) ?? []].flat();
  const counted = Math.min(most, source.count);
  const lengths: number[] = [];
  let failed: TokenLengths["failed"];
  for (let i = 0; i < counted; i++) {
    const index = Math.floor((i * source.count) / counted);
    try {
      const texts = textsOf(source.read(index)).map(({ spans }) =>
        spans.reduce((n, s) => n + s.tokens.length, 0),
      );
      if (texts.length) lengths.push(Math.max(...texts));
    } catch (error) {
      const { message } = exampleFault(error);
      failed = {
        count: (failed?.count ?? 0) + 1,
        first: failed?.first ?? `${source.locate(index)}: ${message}`,
      };
    }
  }
  lengths.sort((a, b) => a - b);
  const at = (share: number) =>
    lengths[Math.min(lengths.length - 1, Math.floor(share * lengths.length))] ?? 0;
  return {
    lengths: {
      counted: lengths.length,
      percentiles: { "50%": at(0.5), "90%": at(0.9), "99%": at(0.99) },
      longest: lengths.at(-1) ?? 0,
      context,
      longer: lengths.filter((n) => n > context).length,
      ...(failed ? { failed } : {}),
    },
    render: (example) =>
      textsOf(example).flatMap(({ spans, score }, i) => [
        { text: headingOf(example, score, i), learned: false },
        ...spans.map(({ by, tokens }) => ({
          text: textWithSpecials(tokenizer, tokens),
          learned: by === "teacher",
        })),
      ]),
  };
}

/** A line above one of several completions: whether it is chosen, its score or its label. */
function headingOf({ kind }: Example, score: number, index: number): string {
  const before = index > 0 ? "\n" : "";
  if (kind === "preference") return `${before}${score === 1 ? "chosen" : "rejected"}:\n`;
  if (kind === "ranking") return `${before}${score}:\n`;
  if (kind === "labelled") return `${score === 1 ? "desirable" : "undesirable"}:\n`;
  return "";
}
