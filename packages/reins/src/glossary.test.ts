import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  algorithms,
  classifier,
  clusters,
  examplesSource,
  learnerNames,
  ppo,
  quantileInformedPpo,
} from "@reins/algorithms";
import { Run } from "@reins/core";
import * as losses from "@reins/core/losses";
import { glossary, glossaryTable, metricEntry } from "@reins/core/metrics";
import { dataset } from "@reins/language";
import { random, tensor } from "@reins/tensor";
import { expect, it, vi } from "vitest";
import { folder, reins } from "./cli/testing.ts";
import { train } from "./train.ts";
import { settingMetric } from "./training/remote.ts";

vi.stubEnv("REINS_BACKEND", "wasm");
vi.stubEnv("REINS_THREADS", "1");

const bandits = ["ucb", "thompson", "epsilon-greedy", "gradient-bandit"];
/** Algorithms for continuous actions only. */
const forBoxes = Object.keys(algorithms).filter((name) => `${algorithms[name].definition.actions}` === "box");
const wherever: { readonly [algorithm: string]: string } = {
  sac: "Pendulum-v1",
  ...Object.fromEntries(forBoxes.map((name) => [name, "Pendulum-v1"])),
  q: "FrozenLake-v1",
  "value-iteration": "FrozenLake-v1",
  linucb: "LinearBandit-v0",
  ...Object.fromEntries(bandits.map((name) => [name, "BernoulliBandit-v0"])),
};
const replay = { learningStarts: 64, capacity: 500 };
/** Small settings with the terms that are off by default. */
const settings: { readonly [algorithm: string]: object } = {
  ppo: { maxKl: 0.01, selfImitation: 1 },
  grpo: { klWeight: 0.1, bandWeight: 0.1 },
  dqn: replay,
  ...Object.fromEntries(
    ["c51", "qr-dqn", "iqn", "munchausen-dqn", "rainbow", "r2d2"].map((n) => [
      n,
      { ...replay, batch: 8, hidden: [8] },
    ]),
  ),
  r2d2: { ...replay, batch: 8, hidden: [8], units: 8, length: 8, burnIn: 4 },
  pqn: { hidden: [8] },
  "mr-q": { ...replay, batch: 8, width: 16, actionWidth: 8, trainEvery: 8 },
  "dqn-adaptive": replay,
  sac: { ...replay, hidden: [16] },
  ...Object.fromEntries(
    forBoxes.map((name) => {
      const { options } = algorithms[name].definition;
      const narrow = {
        ...("hidden" in options ? { hidden: [16] } : {}),
        ...("criticHidden" in options ? { criticHidden: [16] } : {}),
        ...("width" in options ? { width: 16 } : {}),
      };
      return [name, { ...replay, batch: 32, trainEvery: 8, updates: 1, ...narrow }];
    }),
  ),
};

/** Compared completions. */
const pairs = Array.from({ length: 20 }, (_, i) => ({
  prompt: `${i}+1=`,
  chosen: `${i + 1}`,
  rejected: `${i}`,
}));

async function measured(name: string): Promise<string[]> {
  const words = !learnerNames("steps").includes(name);
  const compares = learnerNames("comparisons").includes(name);
  const agent = await train({
    algorithm: algorithms[name](settings[name] ?? {}),
    ...(words
      ? {
          env: compares ? dataset(pairs) : "arithmetic",
          envOptions: {
            ...(compares ? {} : { level: 1 }),
            layers: 1,
            width: 16,
            heads: 2,
            supervisedTokens: 200,
            rows: 32,
            ...(name === "reward" ? { ensemble: 2 } : {}),
          },
          steps: 2000,
        }
      : { env: wherever[name] ?? "CartPole-v1", steps: forBoxes.includes(name) ? 300 : 1000 }),
    evalEpisodes: 0,
  });
  return Object.keys(agent.run.metrics);
}

/** Metrics of terms that are off by default in all algorithms. */
function reported(): string[] {
  const names: string[] = [];
  const column = tensor([-1, -2]);
  const given = { columns: {}, key: random.key(0), report: (name: string) => names.push(name) };
  losses
    .distillation()
    .value({ ...given, scored: { logProb: column, entropy: column, extra: { teacher: column } } });
  losses.policyGradient({ ratio: losses.dropOutliers(0.5, losses.balanced()) }).value({
    scored: { logProb: column, entropy: column },
    columns: { advantage: tensor([1, -1]), logProb: column },
    key: random.key(0),
    report: (name) => names.push(name),
  });
  return names;
}

/** Metrics of a run with evaluations. */
async function kept(): Promise<string[]> {
  const directory = join(folder(), "run");
  const often = { evalEvery: 256, evalEpisodes: 2 };
  await train({
    algorithm: algorithms.ppo({ envs: 4, steps: 32 }),
    // Goals add metrics.
    env: "BitFlip-v0",
    steps: 512,
    directory,
    ...often,
  });
  const rows = readFileSync(join(directory, "metrics.jsonl"), "utf8").trim().split("\n");
  return rows.flatMap((row) => Object.keys(JSON.parse(row)));
}

/** Metrics of optional parts. */
async function informed(): Promise<string[]> {
  const told = ppo.with("informed", {
    parts: (_, o, context) => quantileInformedPpo(o, context, { hidden: [8], batch: 32, rounds: 2 }),
  });
  const algorithm = told({ envs: 4, steps: 32, hidden: [8] });
  return Object.keys(
    (await train({ algorithm, env: "CartPole-v1", steps: 512, evalEpisodes: 0 })).run.metrics,
  );
}

/** Metrics of a run over a dataset. */
async function listed(): Promise<string[]> {
  const lines = ["1+1=", "1+2=", "2+2="].map((prompt) => ({ prompt, answer: "2" }));
  const agent = await train({
    algorithm: algorithms.sft({ batch: 2 }),
    env: dataset(lines),
    envOptions: { layers: 1, width: 16, heads: 2 },
    steps: 8,
    evalEpisodes: 0,
  });
  return Object.keys(agent.run.row);
}

/** Metrics of a run over a file of examples. */
async function recorded(): Promise<string[]> {
  const [model, at] = [folder(), folder()];
  const fixtures = process.env.REINS_FIXTURES ?? fileURLToPath(new URL("../../../fixtures", import.meta.url));
  cpSync(join(fixtures, "hf", "llama"), model, { recursive: true });
  cpSync(join(fixtures, "hf", "tokenizer.json"), join(model, "tokenizer.json"));
  const file = join(at, "examples.jsonl");
  writeFileSync(file, ["1", "2", "3"].map((text) => JSON.stringify({ text })).join("\n"));
  const algorithm = algorithms.sft({ batch: 2 });
  const agent = await train({
    algorithm,
    env: file,
    envOptions: { folder: model },
    steps: 8,
    evalEpisodes: 0,
  });
  return Object.keys(agent.run.row);
}

function labelled(): string[] {
  const shape = { seed: 1, features: 4, classes: 3, clusters: 2, spread: 0.3, wrong: 0 };
  const data = clusters({ ...shape, train: 64, held: { validation: 20 } });
  const run = new Run({
    algorithm: classifier({ hidden: 4 }),
    env: examplesSource(data, 3),
    data,
    steps: 10,
  });
  run.advance();
  return Object.keys(run.metrics);
}

/** Metrics of judges that return a score beside the reward. */
async function scored(): Promise<string[]> {
  const envOptions = { level: 1, layers: 1, width: 8, heads: 1, supervisedTokens: 0, rows: 8 };
  const algorithm = algorithms.grpo({ groups: 2, groupSize: 2, epochs: 1, minibatches: 1 });
  const agent = await train({ algorithm, env: "twenty-questions", envOptions, steps: 200, evalEpisodes: 0 });
  return Object.keys(agent.run.metrics);
}

it("lists every logged metric and no other", { timeout: 300_000 }, async () => {
  const found = new Set([
    ...reported(),
    ...labelled(),
    settingMetric("clip"),
    ...(await kept()),
    ...(await informed()),
    ...(await listed()),
    ...(await recorded()),
    ...(await scored()),
  ]);
  // They need labelled steps, with metrics among those of reward, and a teacher.
  for (const name of Object.keys(algorithms).filter((n) => !["process-reward", "distill"].includes(n)))
    for (const metric of await measured(name)) found.add(metric);
  expect([...found].filter((name) => !metricEntry(name))).toEqual([]);
  const logged = (name: string) =>
    name.endsWith("*") ? [...found].some((f) => f.startsWith(name.slice(0, -1))) : found.has(name);
  expect(Object.keys(glossary).filter((name) => !logged(name))).toEqual([]);
});

it("matches the page", () => {
  const page = readFileSync(new URL("../../../docs/metrics.md", import.meta.url), "utf8");
  // Regenerate with: reins metrics --markdown
  expect(page).toContain(glossaryTable());
});

it("is printed by entry or whole", async () => {
  const one = await reins("metrics", "policy/kl");
  expect([one.code, one.err]).toEqual([0, ""]);
  expect(one.out).toContain("KL divergence from the behaviour policy");
  const all = await reins("metrics");
  for (const name of Object.keys(glossary)) expect(all.out).toContain(name);
  const wrong = await reins("metrics", "policy/lk");
  expect(wrong.code).toBe(2);
  expect(wrong.err).toContain("Did you mean policy/kl");
  expect((await reins("metrics", "--markdown")).out.trim()).toBe(glossaryTable());
});
