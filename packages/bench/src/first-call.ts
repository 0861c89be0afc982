import { type GptSize, sizes } from "./benchmarks.ts";
import { gptStep } from "./workload.ts";

/** Prints the seconds of the first call of the GPT step, with compilation, and of the second call. */
const [backend, small] = process.argv.slice(2);
const size = sizes["gpt-4x128"][small ? "small" : "full"] as GptSize;
const step = gptStep(size, { name: "gpt", backend: backend as "native" | "wasm" });
const timed = () => {
  const start = performance.now();
  const loss = step.call();
  if (!Number.isFinite(loss)) throw new Error(`The loss is ${loss}.`);
  return (performance.now() - start) / 1e3;
};
process.stdout.write(JSON.stringify({ first: timed(), second: timed() }));
process.exit(0);
