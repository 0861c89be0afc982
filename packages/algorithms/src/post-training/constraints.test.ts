import { readFileSync } from "node:fs";
import { define, type Episode, Run, type Stage, text } from "@reins/core";
import { episodic } from "@reins/core/loops";
import {
  characters,
  constraints,
  newModel,
  TextGenerator,
  textEpisode,
  textStage,
  textTask,
} from "@reins/language";
import { type GptParams, sgd } from "@reins/nn";
import { random, setBackend, type Tensor, type Tree } from "@reins/tensor";
import { expect, it } from "vitest";
import { groupParts, grpo } from "../grpo.ts";
import { options } from "./options.ts";
import { expectNear, rounds, runOf } from "./testing.ts";

setBackend("wasm");

/** One GRPO step by PyTorch; see packages/language/fixtures/make-constrained.py. */
interface Fixture {
  readonly alphabet: string;
  readonly model: Parameters<typeof newModel>[0];
  readonly temperature: number;
  readonly clip: number;
  readonly entropyWeight: number;
  readonly prompt: readonly number[];
  readonly texts: readonly {
    readonly tokens: readonly number[];
    readonly kept: readonly (readonly number[])[];
    readonly logProbs: readonly number[];
    readonly reward: number;
  }[];
  readonly metrics: { readonly [name: string]: number };
  readonly weights: { readonly [path: string]: readonly number[] };
  readonly gradients: { readonly [path: string]: readonly number[] };
}
const file = new URL("../../../language/fixtures/constrained-grpo.json", import.meta.url);
const fixture = JSON.parse(readFileSync(file, "utf8")) as Fixture;

const tokenizer = characters(fixture.alphabet);
const schema = constraints.schema(
  {
    type: "object",
    properties: { n: { type: "integer", minimum: 0, maximum: 99 } },
    required: ["n"],
  },
  tokenizer,
);

/** The tensor of a tree at a path of names and places. */
const at = (tree: Tree, path: string): Tensor =>
  path.split(".").reduce((t, name) => (t as { [name: string]: Tree })[name], tree) as Tensor;

const start = newModel(fixture.model, random.key(1));
for (const [path, values] of Object.entries(fixture.weights)) at(start.params, path).data.set(values);

/** The allowed tokens at each position of a reply, as the generator records them. */
function recorded(tokens: readonly number[]): readonly (Int32Array | undefined)[] {
  const generator = new TextGenerator({
    ...start,
    ...fixture.model,
    end: tokenizer.end,
    sampling: { temperature: fixture.temperature },
    record: true,
  });
  const texts = generator.generate(
    tokens.map((_, t) => ({
      prompt: [...fixture.prompt, ...tokens.slice(0, t)],
      seed: t,
      limit: 1,
      constraint: (more: readonly number[], allowed: Uint8Array) =>
        schema([...tokens.slice(0, t), ...more], allowed),
    })),
  );
  return texts.map((g) => g.kept![0]);
}

/** GRPO whose update is the gradient itself. */
const stepping = define({
  name: "stepping",
  options,
  summary: "",
  learnsFrom: "both",
  start: (o, context) => episodic({ ...groupParts("stepping", o, context), optimiser: sgd({}) }, context),
});

it("an update on replies constrained by a JSON schema equals PyTorch's", async () => {
  const numbers = textTask<undefined>({
    id: "numbers",
    about: "Write JSON with a number.",
    levels: 1,
    alphabet: fixture.alphabet,
    longest: { prompt: 2, answer: 8 },
    make: () => ({ prompt: "7=", answer: '{"n":7}', data: undefined }),
    verify: () => ({ score: 0 }),
  });
  const stage = textStage({
    task: numbers,
    level: 1,
    start,
    tokenizer,
    sampling: { temperature: fixture.temperature },
  });
  const episodes = fixture.texts.map(({ tokens, kept: wanted, logProbs: logProb }): Episode => {
    const kept = recorded(tokens);
    expect(kept.map((set) => [...Array(tokenizer.size).keys()].filter((v) => (set![0] >>> v) & 1))).toEqual(
      wanted,
    );
    const problem = { prompt: "7=", answer: "", data: undefined, level: 1 };
    return textEpisode(
      [
        { by: "environment", tokens: fixture.prompt },
        { by: "policy", tokens, logProb, kept },
      ],
      { truncated: false, group: "7", answered: { problem, text: tokenizer.decode(tokens), ended: "end" } },
    );
  });
  const replayed: Stage = {
    ...stage,
    play: () => ({ steps: 0, next: () => episodes, save: () => 0, restore: () => {} }),
    judge: () => fixture.texts.map(({ reward }) => ({ reward })),
  };
  const { clip, entropyWeight } = fixture;
  const run = new Run({
    algorithm: stepping({
      learningRate: 1,
      clipNorm: 1e9,
      epochs: 1,
      minibatches: 1,
      groups: 1,
      groupSize: 4,
      scale: "none",
      clip,
      entropyWeight,
    }),
    env: { spec: { id: "numbers", observation: text(2), action: text(8) }, stage: replayed },
    steps: 1000,
  });
  const before = structure(run.process.acting!.weights);
  await run.round();
  const after = structure(run.process.acting!.weights);
  for (const [name, value] of Object.entries(fixture.metrics))
    expect(Math.abs(run.metrics[name] - value), name).toBeLessThan(1e-5);
  for (const [path, wanted] of Object.entries(fixture.gradients))
    expectNear(
      before[path].map((w, i) => w - after[path][i]),
      wanted,
      1e-5,
    );
});

/** The numbers of weights by the paths of the fixture. */
function structure(weights: Tree): { readonly [path: string]: readonly number[] } {
  return Object.fromEntries(
    Object.keys(fixture.weights).map((path) => [path, Array.from(at(weights as GptParams, path).data)]),
  );
}

it("forced tokens have log-probability and entropy 0, however unlikely for the model", () => {
  const generator = new TextGenerator({ ...start, ...fixture.model, end: tokenizer.end, record: true });
  const [reply] = generator.generate([
    { prompt: fixture.prompt, seed: 1, limit: 5, constraint: schema, sampling: { temperature: 0.4 } },
  ]);
  expect(tokenizer.decode(reply.tokens)).toBe('{"n":');
  expect(reply.logProb).toEqual([0, 0, 0, 0, 0]);
  expect(reply.entropy.map(Math.abs)).toEqual([0, 0, 0, 0, 0]);
  expect(reply.modelLogProb.reduce((sum, p) => sum + p, 0)).toBeLessThan(-5);
});

/** A task whose agent requests JSON in some samples and free text, at its own temperature, in others. */
const agents = (isJson: (play: number) => boolean) =>
  textTask<undefined>({
    id: "agents",
    about: "Write JSON with a number.",
    levels: 1,
    alphabet: fixture.alphabet,
    longest: { prompt: 2, answer: 8, conversation: 12 },
    make: () => ({ prompt: "7=", answer: '{"n":7}', data: undefined }),
    verify: (_, answer) => ({ score: answer.includes("7") ? 1 : 0 }),
    episode: {
      async agent({ baseURL, apiKey, model, problem }) {
        const json = isJson(Number(apiKey.split("-")[1]));
        const schema = { type: "object", properties: { n: { enum: [7, 42] } }, required: ["n"] };
        const body = {
          model,
          messages: [{ role: "user", content: problem.prompt }],
          ...(json
            ? { response_format: { type: "json_schema", json_schema: { name: "n", schema } } }
            : { temperature: 1.5, top_p: 0.9 }),
        };
        const response = await fetch(`${baseURL}/chat/completions`, {
          method: "POST",
          headers: { authorization: `Bearer ${apiKey}` },
          body: JSON.stringify(body),
        });
        const { choices } = (await response.json()) as { choices: { message: { content: string } }[] };
        return choices[0].message.content;
      },
    },
  });
const agentPlace = (isJson = (play: number) => play % 2 === 0) => ({
  spec: { id: "agents", observation: text(2), action: text(8) },
  stage: textStage({
    task: agents(isJson),
    level: 1,
    start,
    tokenizer,
    rows: 16,
    sampling: { temperature: 0.7 },
  }),
});

it.each<[string, (play: number) => boolean]>([
  ["in every second sample", (play) => play % 2 === 0],
  ["from the second batch on, with replayed successes of the first", (play) => play >= 16],
])("GRPO recovers the behaviour policy, in agents that request JSON %s", async (_, isJson) => {
  const still = {
    learningRate: 0,
    epochs: 2,
    minibatches: 2,
    groups: 2,
    groupSize: 8,
    klWeight: 0.1,
    replay: 16,
  };
  const { metrics } = await rounds(runOf(grpo(still), { env: agentPlace(isJson) }), 3);
  expect(Math.abs(metrics["policy/ratio"] - 1)).toBeLessThan(1e-4);
  expect(metrics["policy/clipped"]).toBe(0);
  expect(Math.abs(metrics["policy/kl"])).toBeLessThan(1e-6);
  expect(Math.abs(metrics["policy/reference-kl"])).toBeLessThan(1e-6);
  expect(metrics["judge/failed"] ?? 0).toBe(0);
});

it("GRPO learns to follow a schema from an agent's samples", async () => {
  const run = runOf(grpo({ groups: 2, groupSize: 8, learningRate: 3e-2 }), { env: agentPlace() });
  await rounds(run, 12);
  expect(run.metrics["reward/mean"]).toBeGreaterThan(0.8);
});
