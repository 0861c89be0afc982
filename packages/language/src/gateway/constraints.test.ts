import { makers, pack } from "@reins/core/episodes";
import { lossGradient } from "@reins/core/loops";
import * as losses from "@reins/core/losses";
import { Statistics } from "@reins/core/metrics";
import { leaves, random, setBackend, type Tensor, type Tree, tensor, treeMap } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import * as constraints from "../generation/constraints/index.ts";
import type { Sampling } from "../generation/sampling.ts";
import type { ConversationEpisode } from "../multi-turn/conversation-episode.ts";
import { talkingStage, talkOptions } from "../multi-turn/testing.ts";
import { type AgentAccess, textTask } from "../tasks/text-task.ts";
import { characters } from "../tokenizers/characters.ts";

setBackend("wasm");

const alphabet = '0123456789+={}":,ne?';
const schema = {
  type: "object",
  properties: { n: { type: "integer", minimum: 0, maximum: 99 } },
  required: ["n"],
} as const;
const response_format = { type: "json_schema", json_schema: { name: "n", schema } };

/** An agent whose single request has these fields. */
const asking =
  (fields: object) =>
  async ({ baseURL, apiKey, model, problem }: AgentAccess) => {
    const response = await fetch(`${baseURL}/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${apiKey}` },
      body: JSON.stringify({ model, messages: [{ role: "user", content: problem.prompt }], ...fields }),
    });
    const { choices, error } = (await response.json()) as {
      choices: { message: { content: string } }[];
      error?: { message: string };
    };
    if (error) throw new Error(error.message);
    return choices[0].message.content;
  };

/** Episodes of an agent, and the policy's scores of their steps. */
async function plays(agent: (access: AgentAccess) => unknown, sampling: Sampling = {}, greedy = false) {
  const numbers = textTask<{ n: number }>({
    id: "numbers",
    about: "Write JSON with a number.",
    levels: 1,
    alphabet,
    longest: { prompt: 4, answer: 10, conversation: 30 },
    make: (r) => ({ prompt: `${r.integers(90)}=`, answer: '{"n":7}', data: { n: 7 } }),
    verify: (_, answer) => ({ score: answer.includes("7") ? 1 : 0 }),
    episode: {
      agent,
    },
  });
  const options = talkOptions({ task: numbers, limit: 10, sampling });
  const stage = talkingStage(options);
  const weights = stage.policy.init(random.key(1));
  const source = stage.play({
    policy: stage.policy,
    weights,
    task: { next: () => [{ key: "a", seed: 0, groupSize: 4, greedy }] },
    statistics: new Statistics(),
    key: random.key(2),
    version: () => 0,
  });
  const episodes = (await source.next()) as readonly ConversationEpisode[];
  return { stage, weights, episodes };
}
const numbersOf = (e: ConversationEpisode, name: string) => [...(e.columns[name] as Tensor).data];
type Trace = { [name in "kept" | "inverseTemperature"]?: Tensor };

/** Columns of an episode as [time, 1, …]. */
const column = (t: Tensor): Tensor =>
  tensor(t.data.slice(), { shape: [t.shape[0], 1, ...t.shape.slice(1)], dtype: t.dtype });

function scored(
  { stage, weights }: Pick<Awaited<ReturnType<typeof plays>>, "stage" | "weights">,
  e: ConversationEpisode,
) {
  const { observation, action, trace } = e.columns as Record<string, Tensor> & { trace?: Trace };
  return stage.policy.score(weights, {
    view: { observation: column(observation) },
    action: column(action),
    ...(trace ? { trace: treeMap(column, trace) } : {}),
  });
}

const samplings: { readonly [name: string]: Sampling } = {
  "temperature 1": {},
  "temperature 0.7": { temperature: 0.7 },
  "temperature 5": { temperature: 5 },
  topK: { topK: 4, temperature: 1.2 },
  repetition: { repetition: 1.5 },
};

describe.each(Object.entries(samplings))("JSON by a schema in training, with %s", (_, sampling) => {
  it("is in the loss, under the distribution over the tokens that the schema allows", async () => {
    const played = await plays(asking({ response_format }), sampling);
    const tokenizer = characters(alphabet);
    const constraint = constraints.schema(schema, tokenizer);
    for (const e of played.episodes) {
      expect(e.answered.failed).toBeUndefined();
      expect(JSON.parse(e.answered.text).n).toBeLessThanOrEqual(99);
      const { logProb, entropy } = scored(played, e);
      const by = numbersOf(e, "by").map((m) => makers[m]);
      const own = by.flatMap((maker, t) => (maker === "policy" ? [t] : []));
      // {"n": and the closing brace, one or two digits, the end.
      expect(own.length).toBeGreaterThanOrEqual(8);
      const [action, recorded] = [numbersOf(e, "action"), numbersOf(e, "logProb")];
      own.forEach((t, i) => {
        expect(logProb.data[t]).toBeCloseTo(recorded[t], 5);
        const allowed = new Uint8Array(tokenizer.size);
        constraint(
          own.slice(0, i).map((s) => action[s]),
          allowed,
        );
        const size = allowed.reduce((sum, a) => sum + a, 0);
        if (size === 1) {
          expect(recorded[t]).toBe(0);
          expect(logProb.data[t]).toBeCloseTo(0, 10);
          expect(entropy.data[t]).toBeCloseTo(0, 10);
        } else expect(entropy.data[t]).toBeGreaterThan(0);
        if (sampling.topK !== undefined) return;
        const { kept } = e.columns.trace as Trace;
        const set = [...allowed.keys()].filter((v) => (kept!.data[t] >>> v) & 1);
        expect(set).toEqual([...allowed.keys()].filter((v) => allowed[v]));
      });
    }
  });
});

it("a forced token has no gradient, and probabilities over a kept set add up to 1", async () => {
  const played = await plays(asking({ response_format }), { temperature: 0.7 });
  const { stage, weights, episodes } = played;
  const { columns } = pack(episodes.slice(0, 1));
  const { observation, action, trace, logProb } = columns as Record<string, Tensor> & { trace: Trace };
  const steps = action.shape[0];
  const own = numbersOf(episodes[0], "by").map((m) => makers[m] === "policy");
  const norm = (chosen: (t: number) => boolean) => {
    const alive = tensor(
      Uint8Array.from({ length: steps }, (_, t) => (chosen(t) ? 1 : 0)),
      { shape: [steps, 1], dtype: "bool" },
    );
    const { gradient } = lossGradient(
      losses.sum(losses.policyGradient({ ratio: losses.clipped(0.2) }), losses.entropy()),
      {
        policy: stage.policy,
        weights,
        columns: {
          observation: column(observation),
          action: column(action),
          trace: treeMap(column, trace),
          logProb: column(logProb),
          advantage: tensor(
            Float32Array.from({ length: steps }, () => 1),
            { shape: [steps, 1] },
          ),
          alive,
        },
        key: random.key(0),
      },
    );
    return Math.hypot(...leaves(gradient as Tree).flatMap((t) => [...t.data]));
  };
  const forced = (t: number) => own[t] && logProb.data[t] === 0;
  expect(norm(forced)).toBe(0);
  expect(norm((t) => own[t] && !forced(t))).toBeGreaterThan(0.01);
  // Each token of the vocabulary in turn as the chosen one.
  const size = characters(alphabet).size;
  const total = new Float64Array(steps);
  for (let v = 0; v < size; v++) {
    const every = { ...episodes[0].columns, action: tensor(new Int32Array(steps).fill(v), { dtype: "i32" }) };
    const { logProb: p } = scored(played, { ...episodes[0], columns: every });
    p.data.forEach((x: number, t: number) => (total[t] += Math.exp(x)));
  }
  for (const sum of total) expect(sum).toBeCloseTo(1, 5);
});

describe("sampling settings of a request in training", () => {
  it.each<[string, object, Sampling]>([
    ["temperature", { temperature: 0.3 }, {}],
    ["temperature, beside the run's", { temperature: 1 }, { temperature: 0.5 }],
    ["top_p", { top_p: 0.4 }, {}],
    ["both, with a schema", { temperature: 1.7, top_p: 0.6, response_format }, { temperature: 0.8 }],
  ])("%s is the training distribution", async (_, fields, sampling) => {
    const played = await plays(asking(fields), sampling);
    for (const e of played.episodes) {
      expect(e.answered.failed).toBeUndefined();
      const { logProb } = scored(played, e);
      const recorded = numbersOf(e, "logProb");
      const by = numbersOf(e, "by").map((m) => makers[m]);
      expect(by.filter((m) => m === "policy").length).toBeGreaterThan(0);
      by.forEach((maker, t) => {
        if (maker === "policy") expect(logProb.data[t]).toBeCloseTo(recorded[t], 4);
      });
    }
    const plain = await plays(asking({ ...fields, temperature: undefined, top_p: undefined }), sampling);
    expect(plain.episodes.map((e) => numbersOf(e, "logProb"))).not.toEqual(
      played.episodes.map((e) => numbersOf(e, "logProb")),
    );
  });

  it("are rejected if greedy, and a greedy baseline stays greedy", async () => {
    const { episodes } = await plays(asking({ temperature: 0 }));
    for (const e of episodes)
      expect(e.answered.failed).toContain(
        "temperature is 0, but a training run cannot learn from greedy replies",
      );
    const [hot, plain] = await Promise.all(
      [{ temperature: 1.9 }, {}].map(async (fields) =>
        (await plays(asking(fields), {}, true)).episodes
          .filter((e) => e.role === "greedy")
          .map((e) => e.answered.text),
      ),
    );
    expect(hot).toHaveLength(1);
    expect(hot).toEqual(plain);
  });
});
