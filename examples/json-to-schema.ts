/**
 * A tiny language model learns to convert a sentence into JSON for a schema: first by imitation, then by reinforcement learning. The same
 * model is also evaluated with decoding constrained to the schema: the constraint guarantees the form, but the facts must be learned.
 *
 *     npx vite-node examples/json-to-schema.ts [--quick]
 */

import { grpo, type nn, phases, Run, random, sft, text } from "reins";
import {
  type Constraint,
  characters,
  constraints,
  newModel,
  sampleProblem,
  sandboxes,
  TextGenerator,
  textStage,
  textTask,
} from "reins/language";
import { passing, percent, quick } from "./show.ts";

const schema = {
  type: "object",
  properties: {
    who: { type: "string", pattern: "^[a-z]{3}$" },
    age: { type: "integer", minimum: 10, maximum: 99 },
    paid: { type: "boolean" },
  },
  required: ["who", "age", "paid"],
  additionalProperties: false,
};
const checker = sandboxes.jsonSchema();

/** Sentences about people, and their content as JSON. */
const people = textTask<{ record: string }>({
  id: "people",
  about: "Convert a sentence to JSON.",
  levels: 1,
  alphabet: 'abcdefghijklmnopqrstuvwxyz0123456789 ,.{}":',
  longest: { prompt: 24, answer: 36 },
  make(random) {
    const who = Array.from({ length: 3 }, () => String.fromCharCode(97 + random.integers(26))).join("");
    const [age, paid] = [random.integers(10, 100), random.random() < 0.5];
    const does = paid ? "has paid" : "owes";
    const prompt = random.choice([`${who}, ${age}, ${does}.`, `${who} ${does}, age ${age}.`]);
    const record = JSON.stringify({ who, age, paid });
    return { prompt, answer: record, data: { record } };
  },
  async verify({ data: { record } }, answer) {
    const { status, value } = await checker.run({ schema: JSON.stringify(schema), data: answer });
    return { score: answer === record ? 1 : 0, wellFormed: status === "ok" && value === true };
  },
});

const tokenizer = characters(people.alphabet);
const shape = {
  layers: 2,
  width: 64,
  heads: 4,
  context: 64,
  vocabulary: tokenizer.size,
  style: "llama",
} as const;
const start = newModel(shape, random.key(1));
const { end } = tokenizer;
const writer = new TextGenerator({ ...start, ...shape, end, rows: 128, sampling: { temperature: 0 } });
const withinSchema = constraints.schema(schema, tokenizer);
/** Held-out problems. */
const problems = Array.from({ length: quick ? 8 : 200 }, (_, i) => sampleProblem(people, 1, "test", i));

/** Answers with these weights, and the shares that are valid and correct. */
async function measure(params: nn.GptParams, constraint?: Constraint) {
  writer.use(params);
  const { answer } = people.longest;
  const answers = writer
    .generate(
      problems.map((p) => ({ prompt: tokenizer.encode(p.prompt), seed: 0, limit: answer + 1, constraint })),
    )
    .map(({ tokens }) => tokenizer.decode(tokens));
  const verdicts = await Promise.all(problems.map((p, i) => people.verify(p, answers[i])));
  const share = (some: typeof verdicts) => percent(some.length / verdicts.length).padStart(8);
  const counts = share(verdicts.filter((v) => v.wellFormed)) + share(verdicts.filter((v) => v.score === 1));
  return { answers, counts };
}

const [imitation, reinforcement] = quick ? [2000, 1000] : [550_000, 300_000];
const run = new Run({
  algorithm: phases("imitation, then grpo", [
    { algorithm: sft({ batch: quick ? 8 : 64, learningRate: 3e-3 }), steps: imitation },
    { algorithm: grpo({ learningRate: 3e-4, groups: quick ? 2 : 16, groupSize: 8, epochs: 1, clipNorm: 1 }) },
  ]),
  env: {
    spec: { id: people.id, observation: text(people.longest.prompt), action: text(people.longest.answer) },
    stage: textStage({ task: people, level: 1, start, tokenizer, rows: 128 }),
  },
  steps: imitation + reinforcement,
  seed: 1,
});

/** A row of the table: unconstrained, and constrained to the schema. */
async function row(what: string): Promise<readonly string[]> {
  const params = run.process.acting!.weights as nn.GptParams;
  const [free, held] = [await measure(params), await measure(params, withinSchema)];
  console.log(`${what.padEnd(22)}${free.counts}     ${held.counts}`);
  return free.answers;
}

console.log(`${"".padEnd(22)}  freely           within the schema`);
console.log(`${"".padEnd(22)}   valid   right        valid   right`);
const before = await row("from nothing");
await run.advanceAsync(imitation, passing);
const imitated = await row("after imitation");
await run.advanceAsync(undefined, passing);
const after = await row("after reinforcement");

for (const i of [0, 1, 2]) {
  console.log(`\n${problems[i].prompt}`);
  console.log(`  from nothing         ${before[i]}`);
  console.log(`  after imitation      ${imitated[i]}`);
  console.log(`  after reinforcement  ${after[i]}`);
}
