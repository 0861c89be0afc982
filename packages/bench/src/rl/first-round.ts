import { workload } from "./workloads.ts";

/** Prints the seconds from the making of a workload until its first round is done, in a process that has compiled nothing yet. */
const start = performance.now();
const work = await workload(process.argv[2]);
work.iterate();
process.stdout.write(JSON.stringify({ seconds: (performance.now() - start) / 1e3 }));
process.exit(0);
