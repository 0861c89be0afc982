// A short training run. All runtimes print the same: node .ci/small.mjs, bun .ci/small.mjs, deno run -A .ci/small.mjs
import { train } from "reins";

const agent = await train({
  algorithm: "ppo",
  env: "CartPole-v1",
  seed: 1,
  steps: 20_000,
  evalEpisodes: 10,
  directory: false,
});
console.log(`return ${agent.return.mean} after 20,000 steps`);
if (!(agent.return.mean > 50)) throw new Error(`return ${agent.return.mean} is not above 50`);
