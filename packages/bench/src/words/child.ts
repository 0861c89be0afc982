import { type Job, perform } from "./job.ts";

/** Runs a job and prints its result. */
const done = await perform(JSON.parse(process.argv[2]) as Job);
process.stdout.write(`${JSON.stringify(done)}\n`);
