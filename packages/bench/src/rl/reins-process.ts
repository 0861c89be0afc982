import { createInterface } from "node:readline";
import { currentBackend } from "@reins/tensor";
import { workload } from "./workloads.ts";

// The Reins side of a comparison: prints its version, then one line of samples (seconds per step) for every input line.
const value = (flag: string) => process.argv[process.argv.indexOf(flag) + 1];
const say = (message: object) => process.stdout.write(`${JSON.stringify(message)}\n`);
const seconds = Number(value("--seconds"));
const now = () => performance.now() / 1e3;

try {
  const work = await workload(value("--only"));
  for (const end = now() + seconds; now() < end; ) work.iterate();
  say({ version: work.version ?? `reins on ${currentBackend().name}`, values: [] });
  for await (const _ of createInterface({ input: process.stdin })) say({ samples: measure() });
  process.exit(0);

  function measure(): number[] {
    const samples: number[] = [];
    const slice = seconds / 10;
    for (const end = now() + seconds; now() < end; ) {
      const start = now();
      let steps = 0;
      do steps += work.iterate();
      while (now() < start + slice);
      samples.push((now() - start) / steps);
    }
    return samples;
  }
} catch (error) {
  say({ error: error instanceof Error ? error.message.split("\n")[0] : String(error) });
  process.exit(1);
}
