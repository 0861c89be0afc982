import { createInterface } from "node:readline";
import { train } from "reins";

// The training of the page in Node, without a speed limit: prints its version, then seconds per step for every input line.
const say = (message: object) => process.stdout.write(`${JSON.stringify(message)}\n`);
const seconds = Number(process.argv[2]);
const now = () => performance.now() / 1e3;

const { run: first } = await train({
  algorithm: "ppo",
  env: "CartPole-v1",
  steps: 1,
  seed: 1,
  evalEpisodes: 0,
});
const run = first.fork({ steps: 1e9 });

function measure(): number {
  const [start, before] = [now(), run.steps];
  do run.round();
  while (now() < start + seconds);
  return (now() - start) / (run.steps - before);
}

measure();
say({ version: "reins", values: [] });
for await (const _ of createInterface({ input: process.stdin })) say({ samples: [measure()] });
process.exit(0);
