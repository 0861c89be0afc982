import type { TrainRequest } from "./demo.ts";

/** A program of the playground's menu. */
export interface Example {
  readonly title: string;
  readonly program: string;
}

/** Programs to begin with. */
export const examples: readonly Example[] = [
  {
    title: "PPO on CartPole",
    program: `import { train } from "reins";

const agent = await train({
  algorithm: "ppo",
  env: "CartPole-v1",
  steps: 60_000,
  seed: 1,
});
console.log("Mean return:", agent.return.mean);
console.log("Action for a pole that falls right:", agent.act([0, 0, 0.1, 0.5]));
`,
  },
  {
    title: "Compare learning rates",
    program: `import { train } from "reins";

for (const learningRate of [1e-4, 1e-3, 1e-2]) {
  const agent = await train({
    algorithm: "ppo",
    env: "CartPole-v1",
    steps: 20_000,
    settings: { learningRate },
    seed: 1,
  });
  console.log(learningRate, agent.return.mean);
}
`,
  },
  {
    title: "Q-learning on FrozenLake",
    program: `import { train } from "reins";

const agent = await train({ algorithm: "q", env: "FrozenLake-v1", seed: 1 });
console.log("Success rate:", agent.return.mean);
`,
  },
];

/** The program of a run in an algorithm's page, for the playground or for Node. */
export function trainingProgram({ algorithm, env, steps, seed, settings, webgpu }: TrainRequest): string {
  const entries = Object.entries(settings).map(([name, value]) => `${name}: ${value}`);
  const changed = entries.length ? `\n  settings: { ${entries.join(", ")} },` : "";
  const more = webgpu ? 'import { enableWebGPU } from "reins/tensor/webgpu";\n\nawait enableWebGPU();' : "";
  return `import { train } from "reins";
${more}
const agent = await train({
  algorithm: "${algorithm}",
  env: "${env}",
  steps: ${steps.toLocaleString("en").replaceAll(",", "_")},
  seed: ${seed},${changed}
});
console.log(agent.return.mean);
`;
}

/** The address hash that holds a program. */
export const encodeProgram = (program: string): string =>
  `#code=${btoa(String.fromCharCode(...new TextEncoder().encode(program)))
    .replace(/\+/g, "-")
    .replace(/\//g, "_")
    .replace(/=+$/, "")}`;

/** The program of an address hash; undefined if it holds none. */
export function decodeProgram(hash: string): string | undefined {
  const code = /^#code=([\w-]+)$/.exec(hash)?.[1];
  if (!code) return undefined;
  const bytes = atob(code.replace(/-/g, "+").replace(/_/g, "/"));
  return new TextDecoder().decode(Uint8Array.from(bytes, (c) => c.charCodeAt(0)));
}
