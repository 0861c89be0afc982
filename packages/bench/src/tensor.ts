import { benchmarks } from "./benchmarks.ts";
import { compare } from "./compare.ts";
import { compileBenchmarks } from "./compile-benchmarks.ts";
import { compileTime } from "./compile-time.ts";
import { describeMachine, machine } from "./machine.ts";
import type { Options } from "./options.ts";
import { describeResult, describeTotal, header } from "./report.ts";
import type { Result } from "./result.ts";

/** The suite of `@reins/tensor`: prints each row as it is measured. */
export async function tensorSuite(options: Options): Promise<void> {
  const say = (text: string) => process.stdout.write(`${text}\n`);
  const where = machine();
  say(`${describeMachine(where)}\n\n${header}`);
  const results: Result[] = [];
  const add = (result: Result) => {
    results.push(result);
    say(describeResult(result));
  };
  for (const backend of options.backends) {
    for (const benchmark of benchmarks.filter((b) => options.only.includes(b.name))) {
      for (const threads of options.threads) {
        const { result, profile } = await compare(benchmark, backend, threads, options);
        add(result);
        if (profile) say(profile.replace(/^/gm, "    "));
      }
    }
    for (const benchmark of compileBenchmarks.filter(
      (b) => b.backend === backend && options.only.includes(b.name),
    )) {
      add(compileTime(benchmark, options));
    }
  }
  say(`\n${describeTotal(results)}`);
  if (results.some((r) => r.ours === null)) process.exitCode = 1;
  if (options.json) say(JSON.stringify({ suite: "tensor", machine: where, results }));
}
