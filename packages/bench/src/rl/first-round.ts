import { workload } from "./workloads.ts";

/** Prints the additional seconds of setup and first update over the second update, in a process without compiled kernels. */
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
