import { newModel, TextGenerator } from "@reins/language";
import { leaves, random, type Tree } from "@reins/tensor";
import { readArguments } from "../arguments.ts";
import { tokens } from "../noise.ts";
import { summary } from "../stats.ts";
import { models } from "./benchmarks.ts";

export const contextHelp = `npm run bench -- context [--rows 1,4,16] [--samples 7]
Time per token at 1,024 positions of context against 128, for the model of 10 M parameters (REINS_THREADS=1 for one thread), and the ratio of
the arithmetic: products with the weights, and attention over all keys.`;

const lengths = [128, 1024] as const;
/** Tokens per sample, around the measured length. */
const added = 16;
const { layers, width, heads, vocabulary } = models["10m"];

/** Multiplications and additions of one token that attends to `length` keys. */
function operations(length: number): number {
  const { params } = model(lengths[1]);
  const { blocks } = params;
  const weights = blocks.reduce((n, b) => n + elements(b.attention) + elements(b.feedForward), 0);
  return 2 * (weights + width * vocabulary) + 4 * width * layers * length;
}

const elements = (tree: Tree) => leaves(tree).reduce((n, t) => n + t.size, 0);

const model = (context: number) =>
  newModel({ layers, width, heads, vocabulary, context, style: "llama" }, random.key(0));

/** Seconds per token of all rows, at about `length` positions. */
function stepSeconds(rows: number, length: number): () => number {
  const context = lengths[1] + added;
  const { model: gpt, params } = model(context);
  const generator = new TextGenerator({ model: gpt, params, vocabulary, context, end: -1, rows });
  let round = 0;
  return () => {
    const start = length - added / 2;
    const prompts = tokens(rows * start, ++round, vocabulary);
    const requests = Array.from({ length: rows }, (_, i) => ({
      prompt: [...prompts.subarray(i * start, (i + 1) * start)],
      seed: round * rows + i,
      limit: added + 1,
    }));
    const writing = generator.begin(requests);
    // The first token includes the prefill.
    writing.advance(1);
    const began = performance.now();
    writing.advance();
    return (performance.now() - began) / 1e3 / added;
  };
}

/** Measures and prints. Both lengths alternate, so that other load affects both. */
export function contextSuite(args: readonly string[]): void {
  const { values } = readArguments(args, ["--rows", "--samples"], []);
  const rowsWanted = (values.get("--rows") ?? "1,4,16").split(",").map(Number);
  const samples = Number(values.get("--samples") ?? 7);
  if (![samples, ...rowsWanted].every((n) => Number.isInteger(n) && n >= 1))
    throw new Error("--rows and --samples must be whole numbers of at least 1.");
  const median = (x: readonly number[]) => summary(x).median;
  const arithmetic = operations(lengths[1]) / operations(lengths[0]);
  console.log(
    `${layers} layers, width ${width}, ${heads} heads, vocabulary ${vocabulary}: the arithmetic of a token is ${arithmetic.toFixed(3)} × at ${lengths[1]} positions.`,
  );
  console.log("rows   ms at 128   ms at 1024   ratio   to the arithmetic");
  for (const rows of rowsWanted) {
    const [short, long] = lengths.map((length) => stepSeconds(rows, length));
    short();
    long();
    const pairs = Array.from({ length: samples }, () => [short(), long()] as const);
    const [a, b] = [median(pairs.map((p) => p[0])), median(pairs.map((p) => p[1]))];
    const ratio = median(pairs.map(([x, y]) => y / x));
    console.log(
      `${String(rows).padEnd(6)} ${(1e3 * a).toFixed(2).padEnd(11)} ${(1e3 * b).toFixed(2).padEnd(12)} ${ratio.toFixed(3).padEnd(7)} ${(ratio / arithmetic).toFixed(3)}`,
    );
  }
}
