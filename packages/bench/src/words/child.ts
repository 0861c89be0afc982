import { type Job, perform } from "./job.ts";

/** Performs the job that it is given and says what came of it. */
const done = await perform(JSON.parse(process.argv[2]) as Job);
process.stdout.write(`${JSON.stringify(done)}\n`);
