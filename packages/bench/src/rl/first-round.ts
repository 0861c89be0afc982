import { workload } from "./workloads.ts";

/** Prints how many seconds the making of a workload and its first round take more than its second one, in a process that has compiled nothing yet. */
const timed = async (act: () => unknown) => {
  const start = performance.now();
  await act();
  return (performance.now() - start) / 1e3;
};
let again = () => {};
const first = await timed(async () => {
  const work = await workload(process.argv[2]);
  again = () => void work.iterate();
  again();
});
process.stdout.write(JSON.stringify({ seconds: first - (await timed(() => again())) }));
process.exit(0);
