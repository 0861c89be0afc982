import { sizes } from "./benchmarks.ts";
import { serve } from "./child.ts";
import { differsFromReference } from "./verify.ts";
import { workload } from "./workload.ts";

/** The Reins side of a benchmark: checked against the reference backend, then timed. */
await serve(async ({ name, threads, small, backend, profile }) => {
  const size = sizes[name];
  const wrong =
    backend === "reference" ? undefined : differsFromReference(name, size.small, { backend, threads });
  if (wrong) throw new Error(`wrong result: ${wrong}`);
  const work = workload(name, small ? size.small : size.full, { backend, threads });
  const explained = profile ? work.explain() : undefined;
  const values: number[] = [];
  for (let step = 0; step < 5; step++) {
    work.run();
    values.push(...work.observe());
  }
  return { timed: work, ready: { version: process.version, values, profile: explained } };
});
