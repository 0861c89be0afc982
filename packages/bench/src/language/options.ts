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

Measures Llama-style language models of 0.8 and 10 million parameters.

${languageBenchmarks.map((b) => `  ${b.name.padEnd(16)} ${b.about}`).join("\n")}

train-*: against PyTorch with the same number of threads; the sides alternate. Both start from the same parameters and tokens, and the
losses of their first five steps must agree to 1e-3, or nothing is timed. PyTorch uses its fused attention and the faster of the fused and
foreach AdamW; torch.compile is not used.

generate-*: against the essential parts of generation, run alone in the same process. The ratio is their share of the whole time:
  products  112 times the linear products of a step on 256 rows: queries, keys and values, output, gate and up, down of each
            layer, each with its own weights, and the head; one compiled function that returns every result
  caches    112 times one read of the keys and values of all layers at 72 positions, the mean over the steps, after a write of
            one position
  prompts   once the products of the first 15 tokens of each prompt (the last token belongs to the first step): all layers, but of the
            last one only queries, keys and values, and no head
Products and caches of a step are timed over 16 calls. Norms, rotations, softmax, sampling and the work between steps are not
included. Texts have no end token, so all rows reach the last step.

grpo-10m: against a PyTorch loop with a KV cache; the sides alternate: prefill, sampling at temperature 1 with log-probabilities, group advantages,
the clipped loss on the completions, clipping at 1 and AdamW. Rates are completion tokens per second of the whole update.

grpo-share: a model of 2 layers and width 64, with 32 problems of level 2 and groups of 16, the settings of reins train grpo arithmetic,
after 100,000 answer tokens of supervised fine-tuning. Generation is sampling, judging is the verifier, learning the rest of an update.

  --only a,b        run only these benchmarks
  --backend a,b     native, wasm (default: both)
  --threads 1,all   numbers of threads (default: 1,2)
  --quick           two short rounds, for a rough estimate
  --json            print one JSON object as the last line
  --help            print this help

REINS_PYTHON: Python interpreter with torch (default: python3). Without torch the rows have no peer.`;

/** Parses the options after the suite's name; unknown options are errors. */
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
