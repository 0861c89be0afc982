import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { dqn, ppo, sac, tabularQ } from "@reins/algorithms";
import type { Parts, Value } from "@reins/core";
import { save } from "@reins/core/snapshots";
import { readSafetensors, writeSafetensors } from "@reins/nn";
import { random, tensor } from "@reins/tensor";
import { expect, it, vi } from "vitest";
import { folder } from "../cli/testing.ts";
import { train } from "../train.ts";
import { resumeFrom } from "../training/from-agent.ts";
import type { ActingAgent } from "./content.ts";
import { loadAgent as loadSmall } from "./eager.ts";
import { loadAgent } from "./load-agent.ts";

vi.stubEnv("REINS_BACKEND", "wasm");
vi.stubEnv("REINS_THREADS", "1");

const small = { steps: 1024, seed: 3, evalEpisodes: 4 };
const onCartPole = { ...small, algorithm: ppo({ envs: 4, steps: 32, hidden: [16] }), env: "CartPole-v1" };

/** Actions for 20 random observations. */
function actions(agent: ActingAgent, width: number): Value[] {
  const seen = random.normal(random.key(8), [20, width]).data as Float32Array;
  return Array.from({ length: 20 }, (_, i) => agent.act([...seen.slice(i * width, (i + 1) * width)]));
}

it("saves and loads an agent, with and without the compiler", async () => {
  const trained = await train(onCartPole);
  // A missing folder is created.
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
  // The weights are readable as plain safetensors.
  expect(readSafetensors(bytes).tensors.get("weights.actor.layers.0.weight")?.shape).toEqual([4, 16]);
});

it("samples actions of a loaded agent with greedy: false", async () => {
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

it("detects a flipped bit in weights and metadata", async () => {
  const bytes = await (await train({ ...onCartPole, steps: 128, evalEpisodes: 0 })).save();
  const text = Buffer.from(bytes).indexOf("CartPole-v1");
  for (const at of [bytes.length - 3, bytes.length - 200, text]) {
    const damaged = bytes.slice();
    damaged[at] ^= 4;
    for (const reading of [loadAgent, loadSmall])
      await expect(reading(damaged)).rejects.toThrow("its checksum does not match");
  }
});

it("refuses an invalid space with the reason", async () => {
  const bytes = await (await train({ ...onCartPole, steps: 128, evalEpisodes: 0 })).save();
  const { tensors, metadata } = readSafetensors(bytes);
  const head = JSON.parse(metadata.reins) as { spec: { observation: object } };
  for (const shape of [5, [-1]]) {
    const spec = { ...head.spec, observation: { ...head.spec.observation, shape } };
    const changed = writeSafetensors(tensors, { reins: JSON.stringify({ ...head, spec }) });
    for (const reading of [loadAgent, loadSmall])
      await expect(reading(changed)).rejects.toThrow("the file is damaged: its observation is a box");
  }
});

it("saves observation normalisation and action scaling", async () => {
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

it("keeps recurrent state between steps until forget()", async () => {
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

it("fetches an agent from a URL", async () => {
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
  await expect(loadAgent(new URL(`${root}/other`))).rejects.toThrow("the server answered 404");
  await expect(loadAgent(`${root}/page`)).rejects.toThrow("a web page instead of an agent");
  await expect(loadAgent(`${root}/half`)).rejects.toThrow("cannot be fetched");
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
])("%s continues training from a saved agent", async (_, options) => {
  const trained = await train({ ...options, evalEpisodes: 0 });
  const from = await trained.save(undefined, { training: true });
  await expect(train({ from: await trained.save(), steps: 64 })).rejects.toThrow(
    "Save the agent with { training: true }",
  );
  const { run } = await resumeFrom(from, { steps: 256 });
  expect(run.options.algorithm.options).toEqual(trained.run.options.algorithm.options);
  // Weights, optimiser moments and the replay buffer are those of the first run; the state of the environments is not.
  const own = ({ rollout, metrics, ...rest }: Parts) => save(rest);
  expect(own(run.process.parts)).toEqual(own(trained.run.process.parts));
  expect(run.steps).toBe(0);
  const more = await train({ from, steps: 256, evalEpisodes: 0 });
  const { steps } = await loadAgent(await more.save());
  expect(steps).toBe(trained.run.steps + more.run.steps);
  expect(own(more.run.process.parts)).not.toEqual(own(trained.run.process.parts));
  await expect(train({ from, algorithm: "a2c", steps: 64 })).rejects.toThrow("cannot continue its training");
  await expect(train({ from, env: "Acrobot-v1", steps: 64 })).rejects.toThrow("Train a new agent there");
});

it("survives two concurrent writes, and continues only with its own settings", async () => {
  const options = { env: "CartPole-v1", steps: 64, evalEpisodes: 0 };
  const { save } = await train({ ...options, algorithm: ppo({ envs: 2, steps: 16, hidden: [4] }) });
  const from = await save(undefined, { training: true });
  const path = join(folder(), "twice.agent");
  await Promise.all([save(path), save(path)]);
  expect((await loadAgent(path)).algorithm).toBe("ppo");
  await expect(train({ ...options, from, algorithm: ppo({ hidden: [3] }) })).rejects.toThrow(
    "does not fit these settings",
  );
});

it("refuses files that are not agents", async () => {
  const path = join(folder(), "x.agent");
  await expect(loadAgent(path)).rejects.toThrow(`${path}: there is no such file`);
  await expect(loadAgent(folder())).rejects.toThrow("this is a folder");
  writeFileSync(path, "hello, world");
  await expect(loadAgent(path)).rejects.toThrow("safetensors");
  const weights = writeSafetensors([["w", tensor([1, 2])]]);
  await expect(loadAgent(weights)).rejects.toThrow("not written by agent.save()");
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
