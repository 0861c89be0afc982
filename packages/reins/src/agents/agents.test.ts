import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { dqn, ppo, sac, tabularQ } from "@reins/algorithms";
import { type Parts, save, type Value } from "@reins/core";
import { readSafetensors, writeSafetensors } from "@reins/nn";
import { random, tensor } from "@reins/tensor";
import { expect, it, vi } from "vitest";
import { folder } from "../cli/testing.ts";
import { train } from "../train.ts";
import { goFrom } from "../training/from-agent.ts";
import type { ActingAgent } from "./content.ts";
import { loadAgent as loadSmall } from "./eager.ts";
import { loadAgent } from "./load-agent.ts";

vi.stubEnv("REINS_BACKEND", "wasm");
vi.stubEnv("REINS_THREADS", "1");

const small = { steps: 1024, seed: 3, evalEpisodes: 4 };
const onCartPole = { ...small, algorithm: ppo({ envs: 4, steps: 32, hidden: [16] }), env: "CartPole-v1" };

/** What an agent does at places all over. */
function actions(agent: ActingAgent, width: number): Value[] {
  const seen = random.normal(random.key(8), [20, width]).data as Float32Array;
  return Array.from({ length: 20 }, (_, i) => agent.act([...seen.slice(i * width, (i + 1) * width)]));
}

it("an agent goes into a file and comes back, with a compiler and without", async () => {
  const trained = await train(onCartPole);
  // A folder that is not there is made.
  const path = join(folder(), "public", "cart.agent");
  const bytes = await trained.save(path);
  expect(new Uint8Array(readFileSync(path))).toEqual(bytes);
  const expected = actions(trained, 4);
  expect(new Set(expected).size).toBe(2);
  for (const agent of [await loadAgent(path), await loadAgent(bytes), await loadSmall(path)]) {
    expect(actions(agent, 4)).toEqual(expected);
    expect([agent.algorithm, agent.steps, agent.spec.id]).toEqual(["ppo", 1024, "CartPole-v1"]);
  }
  const again = await loadAgent(path);
  expect((await again.evaluate(4, { seed: 3 })).mean).toBe(trained.return.mean);
  expect(await again.save()).toEqual(bytes);
  // Anybody who reads safetensors finds the weights.
  expect(readSafetensors(bytes).tensors.get("weights.actor.layers.0.weight")?.shape).toEqual([4, 16]);
});

it("an agent from a file draws its actions where it is asked to", async () => {
  const bytes = await (await train({ ...onCartPole, steps: 128, evalEpisodes: 0 })).save();
  const drawn = async (seed: number) => {
    const agent = await loadAgent(bytes, { greedy: false, seed });
    return Array.from({ length: 40 }, () => agent.act([0, 0, 0.01, 0]));
  };
  expect(new Set(await drawn(1)).size).toBe(2);
  expect(await drawn(1)).toEqual(await drawn(1));
  expect(await drawn(1)).not.toEqual(await drawn(2));
  await expect(loadAgent(bytes, { gredy: false } as object)).rejects.toThrow("greedy");
});

it("a bit that was flipped on the way is noticed, in the weights and in the text", async () => {
  const bytes = await (await train({ ...onCartPole, steps: 128, evalEpisodes: 0 })).save();
  const text = Buffer.from(bytes).indexOf("CartPole-v1");
  for (const at of [bytes.length - 3, bytes.length - 200, text]) {
    const damaged = bytes.slice();
    damaged[at] ^= 4;
    for (const reading of [loadAgent, loadSmall])
      await expect(reading(damaged)).rejects.toThrow("its bytes are not those that were written");
  }
});

it("a space that is none is refused with its reason", async () => {
  const bytes = await (await train({ ...onCartPole, steps: 128, evalEpisodes: 0 })).save();
  const { tensors, metadata } = readSafetensors(bytes);
  const head = JSON.parse(metadata.reins) as { spec: { observation: object } };
  for (const shape of [5, [-1]]) {
    const spec = { ...head.spec, observation: { ...head.spec.observation, shape } };
    const changed = writeSafetensors(tensors, { reins: JSON.stringify({ ...head, spec }) });
    for (const reading of [loadAgent, loadSmall])
      await expect(reading(changed)).rejects.toThrow("it is damaged: its observation is a box");
  }
});

it("what normalised observations and scaled actions goes with it", async () => {
  const options = { ...small, algorithm: ppo({ envs: 4, steps: 32, hidden: [8] }), env: "Pendulum-v1" };
  const trained = await train({ ...options, wrappers: ["normaliseObservation", "rescaleAction"] });
  const bytes = await trained.save();
  const expected = actions(trained, 3);
  expect(actions(await loadAgent(bytes), 3)).toEqual(expected);
  const near = (all: Value[]) => all.map((a) => Number((a as Float32Array)[0].toFixed(4)));
  expect(near(actions(await loadSmall(bytes), 3))).toEqual(near(expected));
  const { mean } = await (await loadAgent(bytes)).evaluate(4, { seed: 3, env: "Pendulum-v1" });
  expect(mean).toBe(trained.return.mean);
});

it("memory goes from step to step until it forgets", async () => {
  const algorithm = ppo({ envs: 4, steps: 32, hidden: [8], memory: "gru", units: 8 });
  const trained = await train({ ...small, algorithm, env: "CartPole-v1" });
  const bytes = await trained.save();
  for (const agent of [await loadAgent(bytes), await loadSmall(bytes)]) {
    trained.forget();
    const first = actions(trained, 4);
    expect(actions(agent, 4)).toEqual(first);
    agent.forget();
    expect(actions(agent, 4)).toEqual(first);
  }
});

it("is fetched from an address", async () => {
  const bytes = await (await train({ ...onCartPole, steps: 128 })).save();
  const server = createServer((request, answer) => {
    if (request.url === "/page") return void answer.end("<!doctype html><title>Not this</title>");
    answer.statusCode = request.url === "/other" ? 404 : 200;
    if (request.url !== "/half") return void answer.end(bytes);
    answer.setHeader("content-length", bytes.length);
    answer.write(bytes.subarray(0, 100), () => answer.destroy());
  });
  await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done));
  const root = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect((await loadAgent(`${root}/cart.agent`)).spec.id).toBe("CartPole-v1");
  await expect(loadAgent(new URL(`${root}/other`))).rejects.toThrow("the server says 404");
  await expect(loadAgent(`${root}/page`)).rejects.toThrow("a web page and no agent");
  await expect(loadAgent(`${root}/half`)).rejects.toThrow("it cannot be fetched");
  server.close();
});

it.each([
  ["ppo", onCartPole],
  [
    "sac",
    { ...small, env: "Pendulum-v1", algorithm: sac({ hidden: [8], learningStarts: 64, capacity: 2000 }) },
  ],
  [
    "dqn",
    { ...small, env: "CartPole-v1", algorithm: dqn({ hidden: [8], learningStarts: 64, capacity: 2000 }) },
  ],
  ["q", { ...small, env: "FrozenLake-v1", algorithm: tabularQ() }],
])("%s goes on learning elsewhere with what it had learned", async (_, options) => {
  const trained = await train({ ...options, evalEpisodes: 0 });
  const from = await trained.save(undefined, { training: true });
  await expect(train({ from: await trained.save(), steps: 64 })).rejects.toThrow(
    "Save it with { training: true }",
  );
  const { run } = await goFrom(from, { steps: 256 });
  expect(run.options.algorithm.options).toEqual(trained.run.options.algorithm.options);
  // Weights, the optimiser's moments and what is remembered are those of the first; where its environments are is not.
  const own = ({ rollout, metrics, ...rest }: Parts) => save(rest);
  expect(own(run.process.parts)).toEqual(own(trained.run.process.parts));
  expect(run.steps).toBe(0);
  const more = await train({ from, steps: 256, evalEpisodes: 0 });
  const { steps } = await loadAgent(await more.save());
  expect(steps).toBe(trained.run.steps + more.run.steps);
  expect(own(more.run.process.parts)).not.toEqual(own(trained.run.process.parts));
  await expect(train({ from, algorithm: "a2c", steps: 64 })).rejects.toThrow("cannot go on with that");
  await expect(train({ from, env: "Acrobot-v1", steps: 64 })).rejects.toThrow("Train anew there");
});

it("is written twice at once, and goes on with the settings that it was trained with alone", async () => {
  const options = { env: "CartPole-v1", steps: 64, evalEpisodes: 0 };
  const { save } = await train({ ...options, algorithm: ppo({ envs: 2, steps: 16, hidden: [4] }) });
  const from = await save(undefined, { training: true });
  const path = join(folder(), "twice.agent");
  await Promise.all([save(path), save(path)]);
  expect((await loadAgent(path)).algorithm).toBe("ppo");
  await expect(train({ ...options, from, algorithm: ppo({ hidden: [3] }) })).rejects.toThrow(
    "does not fit the settings here",
  );
});

it("what is no agent is refused", async () => {
  const path = join(folder(), "x.agent");
  await expect(loadAgent(path)).rejects.toThrow(`${path}: there is no such file`);
  await expect(loadAgent(folder())).rejects.toThrow("it is a folder");
  writeFileSync(path, "hello, world");
  await expect(loadAgent(path)).rejects.toThrow("safetensors");
  const weights = writeSafetensors([["w", tensor([1, 2])]]);
  await expect(loadAgent(weights)).rejects.toThrow("it holds tensors and no agent");
  const newer = writeSafetensors([], {
    reins: JSON.stringify({ format: 2, spec: { observation: 1, action: 1 }, ways: {}, wrappers: [] }),
  });
  await expect(loadAgent(newer)).rejects.toThrow("agent of format 2");
  const bytes = await (await train({ ...onCartPole, steps: 128 })).save();
  await expect(loadAgent(bytes.subarray(0, 900))).rejects.toThrow("truncated");
  const agent = await loadAgent(bytes);
  await expect(agent.evaluate(2, { env: "Pendulum-v1" })).rejects.toThrow("whose observation is");
  expect(() => agent.act([0, 0])).toThrow();
});
