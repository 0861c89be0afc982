import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { grpo, ppo } from "@reins/algorithms";
import type { Episode } from "@reins/core";
import { Statistics } from "@reins/core/metrics";
import {
  arithmetic,
  chatMl,
  type LanguageWeights,
  loadModel,
  loadTokenizer,
  sampleProblem,
  textTask,
  textTasks,
} from "@reins/language";
import { flattenNames } from "@reins/nn";
import { random, type Tensor } from "@reins/tensor";
import { describe, expect, it, vi } from "vitest";
import { folder, reins } from "../../cli/testing.ts";
import { load, loadAgent, resume, train } from "../../index.ts";
import { textOptions } from "./options.ts";
import { taskNamed, textSource } from "./task.ts";

vi.stubEnv("REINS_BACKEND", "wasm");

const fixtures = join(
  process.env.REINS_FIXTURES ?? fileURLToPath(new URL("../../../../../fixtures", import.meta.url)),
  "hf",
);
const tiny = { level: 1, layers: 1, width: 16, heads: 2, supervisedTokens: 300, rows: 32 };
const flags = Object.entries(tiny).map(
  ([k, v]) => `--env-${k.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`)}=${v}`,
);

describe("language tasks", () => {
  it("are trained from the command line, imitation first, and evaluated on held-out problems", async () => {
    const path = join(folder(), "run");
    const { code, out } = await reins(
      "train",
      "grpo",
      "arithmetic",
      ...flags,
      "--groups",
      "2",
      "--group-size",
      "4",
      "--steps",
      "600",
      "--eval-episodes",
      "8",
      "--directory",
      path,
      "--json",
      "--quiet",
    );
    expect(code).toBe(0);
    const result = JSON.parse(out.trim().split("\n").at(-1)!);
    expect(result.episodes).toBe(8);
    expect(result.steps).toBeGreaterThanOrEqual(600);
    const agent = await load(path);
    expect(typeof agent.act("1+2=")).toBe("string");
    const again = await agent.evaluate(8, { seed: 1 });
    expect(again.mean).toBe(result.return.mean);
  });

  it("stop and resume exactly", async () => {
    const options = {
      algorithm: "sft",
      env: "sorting",
      envOptions: { ...tiny, supervisedTokens: 0 },
      evalEpisodes: 4,
      seed: 3,
    } as const;
    const whole = await train({ ...options, steps: 1200 });
    const path = join(folder(), "run");
    await train({ ...options, steps: 600, directory: path });
    const longer = await resume(path, { steps: 1200, evalEpisodes: 4 });
    expect({ ...longer.run.metrics }).toEqual({ ...whole.run.metrics });
  });

  it("save the best evaluated model, which can be loaded, evaluated, watched and written", async () => {
    const at = folder();
    const [path, file] = [join(at, "run"), join(at, "yes.jsonl")];
    const lines = Array.from({ length: 60 }, (_, i) => JSON.stringify({ prompt: `${i}?`, answer: "yes" }));
    writeFileSync(file, lines.join("\n"));
    const { level: _, ...model } = tiny;
    const envOptions = { ...model, supervisedTokens: 4000, test: 0.3 };
    const often = { evalEvery: 1000, evalEpisodes: 16, seed: 2, directory: path } as const;
    // Imitation, then large steps towards chance: the best is not the last.
    const astray = grpo({ ...few, learningRate: 0.5, entropyWeight: 5 });
    await train({ ...often, algorithm: astray, env: file, envOptions, judge: "exact", steps: 4200 });
    const rows = readFileSync(join(path, "metrics.jsonl"), "utf8").trim().split("\n");
    const measured = rows.map((row) => JSON.parse(row)).filter((row) => "evaluation/return" in row);
    const top = measured.reduce((a, b) => (b["evaluation/return"] > a["evaluation/return"] ? b : a));
    const [best, last] = [await load(path, { best: true }), await load(path)];
    expect([best.algorithm, best.steps]).toEqual(["grpo", top.step]);
    expect((await best.evaluate(16, { seed: 2 })).mean).toBe(top["evaluation/return"]);
    expect((await last.evaluate(16, { seed: 2 })).mean).toBeLessThan(top["evaluation/return"]);
    const asked = ["--episodes", "16", "--seed", "2"];
    const { out } = await reins("eval", path, "--best", ...asked, "--json");
    expect(JSON.parse(out).return.mean).toBe(top["evaluation/return"]);
    expect((await reins("watch", path, "--best", ...asked)).code).toBe(0);
    // Written as a folder, it gives the same answers.
    const to = folder();
    await best.saveModel(to);
    const table = (weights: unknown) => (weights as LanguageWeights).tokens.table.data;
    expect(table((await loadModel(to)).params)).toEqual(table(best.current.weights));
    expect(typeof best.act("7?")).toBe("string");
    await expect(best.save()).rejects.toThrow("Save its model with agent.saveModel(folder)");
    await expect(best.place()).rejects.toThrow("no environment to step");
    await expect(loadAgent(join(path, "best.agent"))).rejects.toThrow("load(run, { best: true })");
    const env = (await taskNamed(file, { ...envOptions, width: 32 }))!;
    await expect(load(path, { best: true, env })).rejects.toThrow("best.agent has");
  });

  it("save the best model with its critic, or only its adapters", async () => {
    const path = join(folder(), "run");
    const often = { evalEvery: 30, evalEpisodes: 4, steps: 60, directory: path } as const;
    const how = { ...often, env: "arithmetic", envOptions: { ...short, folder: hugging("llama"), lora: 2 } };
    await train({ ...how, algorithm: ppo({ envs: 8, epochs: 1, minibatches: 1 }) });
    const best = await load(path, { best: true });
    expect([...flattenNames(best.current.weights).keys()].filter((n) => !n.includes("adapter"))).toEqual([
      "value.weight",
      "value.bias",
    ]);
    expect((await best.evaluate(4)).count).toBe(4);
    await best.saveAdapters(join(path, "adapters"));
    expect(existsSync(join(path, "adapters", "adapter_config.json"))).toBe(true);
  });

  it("refuse unknown options and levels", async () => {
    await expect(taskNamed("arithmetic", { depth: 3 })).rejects.toThrow("Options: level, layers");
    expect([textOptions("easy", 1, {}).level, textOptions("many", 8, {}).level]).toEqual([1, 2]);
    expect(() => textOptions("easy", 1, { level: 2 })).toThrow(
      "level 2 does not exist. Levels go from 1 to 1.",
    );
    await expect(taskNamed("arithmetic", { level: 99 })).rejects.toThrow("Levels go from 1 to 8");
    expect(await taskNamed("arithmetics")).toBeUndefined();
    expect((await reins("envs", "arithmetic")).out).toMatch(/algorithms\s+ppo, grpo, dr-grpo, dapo, gspo/);
    const { err, code } = await reins("train", "dqn", "arithmetic", ...flags, "--no-save");
    expect(code).toBe(1);
    expect(err).toContain("does not support language tasks. ppo, grpo, dr-grpo, dapo");
  });
});

/** A folder with a model of the fixtures and their tokenizer, optionally with a chat template. */
function hugging(model: string, chat = false): string {
  const path = folder();
  cpSync(join(fixtures, model), path, { recursive: true });
  cpSync(join(fixtures, "tokenizer.json"), join(path, "tokenizer.json"));
  if (chat) writeFileSync(join(path, "chat_template.jinja"), chatMl);
  return path;
}
const short = { level: 1, rows: 16 };
const few = { groups: 2, groupSize: 4, epochs: 1 };

describe("a custom task", () => {
  it("is trained like named tasks, and loaded with the task passed by the program", async () => {
    const last = textTask<{ letter: string }>({
      id: "last-letter",
      about: "Write the last letter of a word.",
      levels: 3,
      alphabet: "abc=",
      longest: { prompt: 9, answer: 1 },
      make(generator, level) {
        const word = Array.from({ length: level + 5 }, () => "abc"[generator.integers(3)]).join("");
        return { prompt: `${word}=`, answer: word.at(-1)!, data: { letter: word.at(-1)! } };
      },
      verify: ({ data }, answer) => ({
        score: Number(answer === data.letter),
        wellFormed: answer.length === 1,
      }),
    });
    const path = join(folder(), "run");
    const envOptions = { ...tiny, supervisedTokens: 30_000 };
    const algorithm = grpo({ ...few, learningRate: 1e-3 });
    const agent = await train({
      algorithm,
      env: last,
      envOptions,
      steps: 30_200,
      evalEpisodes: 32,
      directory: path,
    });
    expect(agent.return.mean).toBeGreaterThan(0.8);
    expect(agent.act("abcabb=")).toBe("b");
    await expect(load(path)).rejects.toThrow("it was trained on last-letter, which is not registered");
    expect((await load(path, { env: last })).act("abcabb=")).toBe("b");
  });

  it("needs no alphabet with a pretrained model: an answer has as many tokens as its characters may have bytes", async () => {
    const words = { ...arithmetic, alphabet: "", longest: { prompt: 12, answer: 8 } };
    const { spec } = await textSource(words, { folder: hugging("llama") });
    expect(spec.maxSteps).toBe(8 * 4 + 1);
    const long = { ...words, longest: { prompt: 12, answer: 100 } };
    await expect(textSource(long, { folder: hugging("llama") })).rejects.toThrow(
      "an answer 401. Choose a task",
    );
    expect((await textSource(long, { folder: hugging("llama"), maxTokens: 20 })).spec.maxSteps).toBe(20);
  });

  it("warms up with the given batch size", async () => {
    const imitated = async (more: object) => {
      const path = join(folder(), "run");
      await train({
        algorithm: grpo(few),
        env: "arithmetic",
        envOptions: { ...tiny, ...more },
        steps: 400,
        evalEpisodes: 0,
        directory: path,
      });
      const rows = readFileSync(join(path, "metrics.jsonl"), "utf8").trim().split("\n");
      return rows.filter((row) => "loss/cloning" in JSON.parse(row)).length;
    };
    expect(await imitated({})).toBe(1);
    expect(await imitated({ supervisedBatch: 8 })).toBeGreaterThan(5);
  });
});

describe("models from Hugging Face folders", () => {
  it("train adapters from the command line, and are written whole", async () => {
    const [from, path, to] = [hugging("llama", true), join(folder(), "run"), join(folder(), "trained")];
    const { code, out, err } = await reins(
      ...["train", "grpo", "arithmetic", "--env-level", "1", "--env-folder", from, "--env-lora", "2"],
      ...[
        "--env-rows",
        "16",
        "--groups",
        "2",
        "--group-size",
        "4",
        "--steps",
        "300",
        "--env-supervised-tokens",
        "100",
      ],
      ...["--eval-episodes", "4", "--directory", path, "--save-model", to],
    );
    expect(err).toBe("");
    expect(code).toBe(0);
    expect(out).toContain(`The model is in ${to}`);
    expect(out).toMatch(/ → .* {2}✗/);
    for (const file of ["tokenizer.json", "chat_template.jinja", "generation_config.json"])
      expect(existsSync(join(to, file)), file).toBe(true);
    const [before, after] = [await loadModel(from), await loadModel(to)];
    expect(after.options).toEqual(before.options);
    expect(after.config?.model_type).toBe("llama");
    // Only the matrices of the blocks, which have adapters, have changed.
    const same = (a: Tensor, b: Tensor) => a.data.every((x, i) => x === b.data[i]);
    const [old, now] = [flattenNames(before.params as never), flattenNames(after.params as never)];
    for (const [name, t] of old as Map<string, Tensor>)
      expect([name, same(t, now.get(name) as Tensor)]).toEqual([
        name,
        !/(qkv|output|up|down)\.weight/.test(name),
      ]);
    // The folder answers like the agent, without adapters.
    const agent = await load(path);
    const asked = { level: 1, rows: 16, folder: to };
    const still = grpo({ ...few, learningRate: 0 });
    const again = await train({
      algorithm: still,
      env: "arithmetic",
      envOptions: asked,
      steps: 1,
      evalEpisodes: 0,
    });
    expect(again.act("1+2=")).toBe(agent.act("1+2="));
    expect(flattenNames(again.run.process.acting!.weights as never).size).toBe(old.size);
    await expect(agent.saveModel(from)).rejects.toThrow("Choose another folder");
  });

  it("train all weights, with a critic that is not written", async () => {
    const [from, to] = [hugging("qwen2"), folder()];
    const agent = await train({
      algorithm: ppo({ envs: 8, epochs: 1, minibatches: 1, learningRate: 1e-2 }),
      env: "arithmetic",
      envOptions: { ...short, folder: from },
      steps: 60,
      evalEpisodes: 0,
    });
    await agent.saveModel(to);
    const saved = await loadModel(to);
    const weights = agent.run.process.acting!.weights as unknown as typeof saved.params;
    expect(weights).toHaveProperty("value");
    expect(saved.params).not.toHaveProperty("value");
    expect(saved.params.blocks[0].attention.qkv.weight.data).toEqual(
      weights.blocks[0].attention.qkv.weight.data,
    );
    const untouched = await loadModel(from);
    expect(saved.params.tokens.table.data).not.toEqual(untouched.params.tokens.table.data);
  });

  it("a tiny model from scratch is written too, and training continues from its folder", async () => {
    const to = folder();
    const agent = await train({
      algorithm: "sft",
      env: "sorting",
      envOptions: tiny,
      steps: 300,
      evalEpisodes: 4,
    });
    await agent.saveModel(to);
    const envOptions = { level: 1, rows: 32, folder: to };
    const on = await train({
      algorithm: grpo({ ...few, learningRate: 0 }),
      env: "sorting",
      envOptions,
      steps: 1,
      evalEpisodes: 4,
    });
    expect(on.act("cab=")).toBe(agent.act("cab="));
    expect(on.return.mean).toBe(agent.return.mean);
  });

  it("are written with their end-of-text tokens, for other libraries", async () => {
    const read = (path: string, file: string) => JSON.parse(readFileSync(join(path, file), "utf8"));
    const path = join(folder(), "run");
    const [to, next] = [folder(), folder()];
    const rest = { algorithm: "sft", env: "sorting", steps: 300, evalEpisodes: 0 } as const;
    await train({ ...rest, envOptions: tiny, directory: path, saveModel: to });
    const tokens = { bos_token_id: null, eos_token_id: 1, pad_token_id: 0 };
    expect(read(to, "config.json")).toMatchObject(tokens);
    expect(read(to, "generation_config.json")).toEqual({
      max_new_tokens: textTasks.sorting.longest.answer + 1,
      ...tokens,
    });
    expect((await loadTokenizer(to)).end).toBe(1);
    // The folder's own end tokens are kept, and the tokenizer's are added.
    const from = hugging("gpt2");
    await train({ ...rest, steps: 1, envOptions: { ...short, folder: from }, saveModel: next });
    const { end } = await loadTokenizer(from);
    const own = read(from, "generation_config.json");
    const { eos_token_id: ends, pad_token_id: pad, ...others } = read(next, "generation_config.json");
    expect(ends).toEqual([end, own.eos_token_id]);
    expect(typeof pad).toBe("number");
    expect(own).toMatchObject(others);
    expect(read(next, "config.json").eos_token_id).toEqual(ends);
  });

  it("are written at the end of a resumed run", async () => {
    const rest = { algorithm: "sft", env: "sorting", envOptions: { ...tiny, supervisedTokens: 0 } } as const;
    const [path, to] = [join(folder(), "run"), join(folder(), "model")];
    const stopped = { onProgress: () => false, progressEvery: 0 };
    await train({ ...rest, steps: 3000, directory: path, saveModel: to, evalEpisodes: 0, ...stopped });
    rmSync(to, { recursive: true, force: true });
    // The run's configuration alone does not cause writing.
    const other = join(folder(), "run");
    cpSync(path, other, { recursive: true });
    const refused = await reins("resume", other, "--eval-episodes", "0");
    expect([refused.code, refused.err]).toEqual([
      1,
      expect.stringContaining("not confirmed on this machine"),
    ]);
    const { code, out } = await reins("resume", path, "--eval-episodes", "0");
    expect(code).toBe(0);
    expect(out).toContain(`The model is in ${to}`);
    const [saved, agent] = [await loadModel(to), await load(path)];
    const weights = agent.current.weights as unknown as typeof saved.params;
    expect(saved.params.tokens.table.data).toEqual(weights.tokens.table.data);
    // An invalid target is refused before training.
    const options = { ...rest, steps: 600, evalEpisodes: 0, envOptions: { ...short, folder: to } };
    await expect(train({ ...options, saveModel: to })).rejects.toThrow("Choose another folder");
    const cartPole = { algorithm: "ppo", env: "CartPole-v1", saveModel: to } as const;
    await expect(train(cartPole)).rejects.toThrow("it has no language model to write");
    writeFileSync(join(to, "config.json"), '{"mine":1}');
    await expect(agent.saveModel(to)).rejects.toThrow("the file exists and does not belong to a model");
  });

  it("is refused a folder of something else before training", async () => {
    const [to, file] = [folder(), join(folder(), "model")];
    writeFileSync(join(to, "config.json"), "{}");
    writeFileSync(file, "mine");
    let updates = 0;
    const start = (saveModel: string) =>
      train({
        algorithm: "grpo",
        env: "arithmetic",
        ...{ saveModel, steps: 1000, evalEpisodes: 0, callbacks: { onUpdate: () => void updates++ } },
      });
    await expect(start(to)).rejects.toThrow("the file exists and does not belong to a model");
    await expect(start(file)).rejects.toThrow("this is a file. Choose a folder.");
    expect(updates).toBe(0);
  });

  it("use their chat template if they have one and chat is not false", async () => {
    const prompts = async (options: object) => {
      const { stage } = (await taskNamed("arithmetic", { ...short, ...options }))!;
      const task = { next: () => [{ key: "p", seed: 5, groupSize: 1 }] };
      const start = { policy: stage!.policy, weights: stage!.policy.init(random.key(1)), task };
      const source = stage!.demonstrations!({ ...start, statistics: new Statistics(), key: random.key(0) });
      const [{ columns }] = source.next() as readonly Episode[];
      const tokens = [...(columns.observation as Tensor).data];
      return (await loadTokenizer((options as { folder: string }).folder)).decode(tokens);
    };
    const [plain, chat] = [hugging("llama"), hugging("llama", true)];
    const problem = sampleProblem(arithmetic, 1, "train", 5).prompt;
    expect((await prompts({ folder: plain })).startsWith(problem)).toBe(true);
    expect((await prompts({ folder: chat })).startsWith(`user\n${arithmetic.about}\n\n${problem}\n`)).toBe(
      true,
    );
    expect((await prompts({ folder: chat, chat: false })).startsWith(problem)).toBe(true);
    await expect(taskNamed("arithmetic", { folder: plain, chat: true })).rejects.toThrow("no chat template");
  });

  it("refuse conflicting options", async () => {
    const from = hugging("llama");
    const refused = (options: object, env = "arithmetic") => expect(taskNamed(env, options as never)).rejects;
    await refused({ folder: from, layers: 3 }).toThrow("the model of a folder has a fixed size. Omit layers");
    await refused({ lora: 8 }).toThrow("lora is for a model from a folder");
    await refused({ chat: true }).toThrow("chat is for a model from a folder");
    await refused({ folder: from, lora: -1 }).toThrow("lora is -1; it must be a whole number");
    await refused({ supervisedTokens: "550k" }).toThrow(
      'supervisedTokens is "550k"; it must be a whole number',
    );
    await refused({ supervisedBatch: 0 }).toThrow("supervisedBatch is 0; it must be a whole number");
    await refused({ folder: from, chat: 1 }).toThrow("chat is 1; it must be true or false");
    await refused({ folder: 7 }).toThrow("folder is 7; it must be a path");
    await refused({ folder: join(from, "nowhere") }).toThrow("config.json is missing");
    await refused({ folder: from }, "json-schema").toThrow(
      "its context of 256 tokens is too short for json-schema",
    );
    const { tuned } = (await taskNamed("sorting", { folder: from }))!;
    expect([tuned!("grpo")?.options.learningRate, tuned!("sft")?.steps]).toEqual([1e-5, 200_000]);
    const cartPole = await train({ algorithm: "ppo", env: "CartPole-v1", steps: 1, evalEpisodes: 0 });
    await expect(cartPole.saveModel(folder())).rejects.toThrow("it has no language model to write");
  });
});
