import { chosen, readArguments } from "../arguments.ts";
import { readThreads } from "../options.ts";
import { languageBenchmarks } from "./benchmarks.ts";

/** Options of the suite. */
export interface LanguageOptions {
  readonly only: readonly string[];
  readonly backends: readonly ("native" | "wasm")[];
  readonly threads: readonly number[];
  readonly rounds: number;
  readonly seconds: number;
  readonly json: boolean;
}

const names = languageBenchmarks.map((b) => b.name);

export const languageHelp = `npm run bench -- language [options]

Measures language models in the style of Llama, of 0.8 and of 10 million parameters.

${languageBenchmarks.map((b) => `  ${b.name.padEnd(16)} ${b.about}`).join("\n")}

train-*: beside PyTorch with as many threads, in turns. Both start from the same parameters and tokens, and the losses of their
first five steps must agree to 1e-3, or nothing is timed. PyTorch attends with its fused kernel and takes the fused or the foreach
AdamW, whichever is faster; torch.compile is not used.

generate-*: beside what generating cannot do without, run alone in the same process. The ratio is its share of the whole time:
  products  112 times the linear products of a step on 256 rows: queries, keys and values, output, gate and up, down of each
            layer, each with weights of its own, and the head; one compiled function that keeps every result
  caches    112 times one reading of the keys and values of all layers at 72 positions, the mean over the steps, with one
            position of each written before
  prompts   once the products of the 15 tokens of each prompt before its last, which the first step reads: all layers, but of the
            last one only queries, keys and values, and no head
Products and caches of a step are timed over 16 calls. Norms, rotations, softmax, drawing and all that is done between two steps
are not in it. No token ends a text, so every row lives to its last step.

grpo-10m: beside a PyTorch loop with a KV cache, in turns: prefill, sampling at temperature 1 with log-probabilities, group advantages,
the clipped loss on the completions, clipping at 1 and AdamW. Rates are completion tokens a second of the whole update.

grpo-share: a model of 2 layers and width 64, 32 problems of level 2 a round and 16 plays of each, as reins train grpo arithmetic has
them, after 100 000 answer tokens of imitation. Generation is making the episodes, judging what the verifier takes, learning
the rest of a round.

  --only a,b        these benchmarks
  --backend a,b     native, wasm (default: both)
  --threads 1,all   numbers of threads (default: 1,2)
  --quick           two short rounds: a rough picture
  --json            the last line is one JSON object
  --help            this text

REINS_PYTHON names a Python interpreter that has torch; python3 otherwise. Without it the rows have no peer.`;

/** Reads the options after the suite's name; an unknown one is an error. */
export function readLanguageOptions(args: readonly string[]): LanguageOptions {
  const given = readArguments(args, ["--only", "--backend", "--threads"], ["--quick", "--json"]);
  const quick = given.flags.has("--quick");
  return {
    only: chosen(given, "--only", names),
    backends: chosen(given, "--backend", ["native", "wasm"]),
    threads: readThreads(given.values.get("--threads") ?? "1,2"),
    rounds: quick ? 2 : 5,
    seconds: quick ? 0.1 : 1,
    json: given.flags.has("--json"),
  };
}
