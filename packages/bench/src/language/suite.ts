import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describeMachine, machine } from "../machine.ts";
import { describeResult, describeTotal, header } from "../report.ts";
import type { Result } from "../result.ts";
import { connect, python, relaxedSimd, type Side } from "../side.ts";
import { languageBenchmarks } from "./benchmarks.ts";
import type { GenerationSample } from "./generation.ts";
import type { GrpoSample } from "./grpo.ts";
import type { LanguageOptions } from "./options.ts";
import { besidePeer, generationRow, grpoRow, type MeasuredPlace } from "./rows.ts";

/** The suite of language models: prints each row as it is measured. */
export async function languageSuite(options: LanguageOptions): Promise<void> {
  const say = (text: string) => process.stdout.write(`${text}\n`);
  const where = machine();
  say(`${describeMachine(where)}\n\n${header}`);
  const results: Result[] = [];
  for (const benchmark of languageBenchmarks.filter((b) => options.only.includes(b.name)))
    for (const backend of options.backends)
      for (const threads of options.threads) {
        const result = await measure({ benchmark, backend, threads }, options);
        results.push(result);
        say(describeResult(result));
      }
  say(`\n${describeTotal(results)}`);
  if (results.some((r) => r.ours === null)) process.exitCode = 1;
  if (options.json) say(JSON.stringify({ suite: "language", machine: where, results }));
}

function measure(place: MeasuredPlace, options: LanguageOptions): Promise<Result> {
  const { rounds } = options;
  switch (place.benchmark.kind) {
    case "train":
    case "update":
      return besidePeer(
        place,
        () => startOurs(place, options),
        () => startPeer(place, options),
        rounds,
      );
    case "generate":
      return generationRow(place, startOurs<GenerationSample>(place, options), rounds);
    case "grpo":
      return grpoRow(place, startOurs<GrpoSample>(place, options), rounds);
  }
}

const here = (file: string) => fileURLToPath(new URL(file, import.meta.url));
const what = ({ benchmark }: MeasuredPlace, { seconds }: LanguageOptions) => [
  "--only",
  benchmark.name,
  "--seconds",
  String(seconds),
];

function startOurs<Sample = number>(place: MeasuredPlace, options: LanguageOptions): Promise<Side<Sample>> {
  const { backend, threads } = place;
  const flags = backend === "wasm" && relaxedSimd() ? ["--experimental-wasm-relaxed-simd"] : [];
  const env = { ...process.env, REINS_BACKEND: backend, REINS_THREADS: String(threads), REINS_QUIET: "1" };
  return connect(
    spawn(process.execPath, [...flags, here("reins-process.js"), ...what(place, options)], { env }),
  );
}

function startPeer(place: MeasuredPlace, options: LanguageOptions): Promise<Side> {
  const turns = ["--threads", String(place.threads), "--rounds", String(options.rounds), "--wait"];
  return connect(spawn(python(), [here("../../peers/language.py"), ...what(place, options), ...turns]));
}
