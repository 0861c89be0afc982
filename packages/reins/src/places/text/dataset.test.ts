import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { sft } from "@reins/algorithms";
import type { Episode } from "@reins/core";
import { Statistics } from "@reins/core/metrics";
import { chatMl, type Dataset, dataset, loadAdapters, loadModel, loadTokenizer } from "@reins/language";
import type { GptParams } from "@reins/nn";
import { logSoftmax, pick, random, type Tensor, tensor } from "@reins/tensor";
import { describe, expect, it, vi } from "vitest";
import { folder, reins } from "../../cli/testing.ts";
import { load, resume, train } from "../../index.ts";
import { readSamples } from "../../training/sample-file.ts";
import { taskNamed, textSource } from "./task.ts";

vi.stubEnv("REINS_BACKEND", "wasm");

const fixtures = join(
  process.env.REINS_FIXTURES ?? fileURLToPath(new URL("../../../../../fixtures", import.meta.url)),
  "hf",
);
const jsonLines = (lines: readonly object[]) => lines.map((line) => JSON.stringify(line)).join("\n");
const sums = Array.from({ length: 20 }, (_, i) => ({ prompt: `${i}+1=`, answer: `${i + 1}` }));
const talks = Array.from({ length: 6 }, (_, i) => ({
  messages: [
    { role: "user", content: `one ${i}` },
    { role: "assistant", content: "two" },
    { role: "user", content: "three" },
    { role: "assistant", content: "four" },
  ],
}));

/** A folder with a model, its tokenizer and a chat template, files of problems and conversations, and a judge. */
function place() {
  const at = folder();
  const model = join(at, "model");
  cpSync(join(fixtures, "llama"), model, { recursive: true });
  cpSync(join(fixtures, "tokenizer.json"), join(model, "tokenizer.json"));
  writeFileSync(join(model, "chat_template.jinja"), chatMl);
  const write = (name: string, text: string) => {
    writeFileSync(join(at, name), text);
    return join(at, name);
  };
  return {
    at,
    model,
    problems: write("problems.jsonl", jsonLines(sums)),
    conversations: write("conversations.jsonl", jsonLines(talks)),
    judge: write(
      "judge.mjs",
      "export default (answer, problem) => ({ terms: { right: answer === problem.answer ? 1 : 0, brief: -answer.length / 100 } });",
    ),
    task: write(
      "task.mjs",
      `export default { id: "echo", about: "Say a.", levels: 1, alphabet: "abcdefgh=", longest: { prompt: 3, answer: 1 },
        make: (random) => ({ prompt: "abcdefgh"[random.integers(8)] + "abcdefgh"[random.integers(8)] + "=", answer: "a", data: {} }),
        verify: (problem, answer) => ({ score: answer === "a" ? 1 : 0, formed: true }) };`,
    ),
  };
}
const few = ["--groups", "2", "--group-size", "2", "--env-rows", "8", "--env-max-tokens", "6"];
const quiet = ["--eval-episodes", "4", "--quiet"];
const tiny = { layers: 1, width: 16, heads: 2, supervisedTokens: 200, rows: 16 };

describe("JSON Lines files", () => {
  it("of conversations train a new model, which is saved with line breaks and letters of every script", async () => {
    const { at } = place();
    const path = join(at, "greetings.jsonl");
    const turns = ["Grüß dich", "Hallo, 猫", "Wie geht's?", "Gut."];
    const messages = turns.map((content, i) => ({ role: i % 2 ? "assistant" : "user", content }));
    writeFileSync(
      path,
      jsonLines(
        Array.from({ length: 12 }, (_, i) => ({
          id: i,
          messages: [{ role: "user", content: `${i}` }, messages[1], ...messages.slice(2)],
        })),
      ),
    );
    const saveModel = join(at, "saved");
    const envOptions = { layers: 1, width: 16, heads: 2 };
    const agent = await train({
      algorithm: sft({ batch: 4 }),
      env: path,
      envOptions,
      steps: 200,
      evalEpisodes: 2,
      saveModel,
    });
    const again = await train({
      algorithm: sft({ batch: 4 }),
      env: path,
      envOptions: { folder: saveModel },
      steps: 20,
      evalEpisodes: 2,
    });
    expect(agent.return.episodes).toBeGreaterThan(0);
    expect((await loadTokenizer(saveModel)).encode("user: Hallo, 猫\n")).toHaveLength(15);
    expect(again.return.episodes).toBe(agent.return.episodes);
  });

  it("are trained on with one command and a judge in a file, and evaluated on held-out lines", async () => {
    const { at, model, problems, judge } = place();
    vi.stubEnv("REINS_STATE", join(at, "state"));
    const path = join(at, "run");
    const { code, err } = await reins(
      ...["train", "grpo", problems, "--env-folder", model, "--judge", judge, "--steps", "60"],
      ...[...few, ...quiet, "--directory", path, "--eval-every", "30", "--samples-every", "20"],
    );
    expect([code, err]).toEqual([0, ""]);
    const rows = readFileSync(join(path, "metrics.jsonl"), "utf8");
    for (const name of ["reward/right", "reward/brief", "reward/std", "reward/flat", "length/truncated"])
      expect(rows, name).toContain(`"${name}"`);
    expect(rows).toContain('"evaluation/return"');
    const kept = readSamples(path);
    expect(kept.length).toBeGreaterThan(4);
    expect(kept[0]).toMatchObject({ by: "policy", prompt: expect.stringMatching(/^\d+\+1=$/) });
    expect(kept[0].terms).toHaveProperty("brief");
    const shown = await reins("watch", path, "--episodes", "2");
    expect([shown.code, shown.out]).toEqual([0, expect.stringContaining("completions of the policy")]);
    const evaluated = (await reins("eval", path, "--episodes", "2")).out;
    expect(evaluated).toMatch(/\d\+1= → /);
    // The penalty of length keeps every score below 1.
    expect(evaluated).toContain("pass@1 0 (correct: a score of at least 1)");
    // Untrusted code is not run: here the judge has changed.
    writeFileSync(judge, "export default () => 1;");
    await expect(load(path)).rejects.toThrow("its judge is code");
    expect((await (await load(path, { judge: () => 0.5 })).evaluate(2)).mean).toBe(0.5);
    const again = await reins("resume", path, "--steps", "80", "--judge", judge, ...quiet);
    expect([again.code, again.err]).toEqual([0, ""]);
    const steps = readSamples(path).map((s) => s.step);
    expect(steps).toEqual([...steps].sort((a, b) => a - b));
  });

  it("are described like named tasks", async () => {
    const { problems, task } = place();
    const { code, out } = await reins("envs", problems);
    expect([code, out]).toEqual([0, expect.stringContaining("18 for training, 2 held out")]);
    expect(out).toContain(`Try: reins train grpo ${problems}`);
    expect((await reins("envs", task)).out).toContain("Say a.");
  });

  it("are imitated with one command for a number of epochs", async () => {
    const { at, model, conversations } = place();
    const path = join(at, "run");
    const { code, err } = await reins(
      ...["train", "sft", conversations, "--env-folder", model, "--env-epochs", "2", "--batch", "4"],
      ...[...quiet, "--directory", path, "--env-max-tokens", "6"],
    );
    expect([code, err]).toEqual([0, ""]);
    const { steps } = JSON.parse(readFileSync(join(path, "config.json"), "utf8"));
    expect(JSON.parse(readFileSync(join(path, "summary.json"), "utf8")).steps).toBe(steps);
    expect(readSamples(path)[0].by).toBe("teacher");
  });

  it("train on all turns of the assistant", async () => {
    const { model, conversations } = place();
    const { stage } = (await taskNamed(conversations, { folder: model }))!;
    const weights = stage.policy.init(random.key(1));
    const task = { next: () => [{ key: "start", seed: 0, groupSize: 1 }] };
    const [episode] = stage.demonstrations!({
      policy: stage.policy,
      weights,
      task,
      statistics: new Statistics(),
      key: random.key(2),
      version: () => 0,
    }).next() as readonly Episode[];
    const by = [...(episode.columns.by as Tensor).data];
    const turns = by.filter((who, i) => who === 2 && by[i - 1] !== 2);
    expect(turns).toHaveLength(2);
  });

  it("train on every token of texts without a prompt, and are evaluated by the likelihood of held-out texts", async () => {
    const { at, model } = place();
    const [path, file] = [join(at, "run"), join(at, "texts.jsonl")];
    const texts = Array.from({ length: 20 }, (_, i) => `The number ${i} comes before ${i + 1}.`);
    writeFileSync(file, jsonLines(texts.map((text) => ({ text }))));
    const { stage, spec, task } = (await taskNamed(file, { folder: model }))!;
    expect(spec.solvedAt).toBeUndefined();
    const weights = stage.policy.init(random.key(1));
    const source = { next: () => [{ key: "start", seed: 0, groupSize: 1 }] };
    const rest = { statistics: new Statistics(), key: random.key(2), version: () => 0 };
    const demonstrations = stage.demonstrations!({ policy: stage.policy, weights, task: source, ...rest });
    const [{ columns }] = demonstrations.next() as readonly Episode[];
    const tokenizer = await loadTokenizer(model);
    const { train: learned, test } = (task as Dataset).listed;
    const first = tokenizer.begin === undefined ? [] : [tokenizer.begin];
    const wholeOf = (text: string) => [...first, ...tokenizer.encode(text), tokenizer.end];
    expect([...(columns.action as Tensor).data]).toEqual(wholeOf(learned[0].answer).slice(1));
    expect(new Set((columns.by as Tensor).data)).toEqual(new Set([2]));
    // The chat template is not used.
    const { mean, count } = await stage.evaluate(weights);
    const base = await loadModel(model);
    const likelihoods = test.map(({ answer }) => {
      const tokens = wholeOf(answer);
      const logits = base.model.apply(base.params, tensor([tokens.slice(0, -1)], { dtype: "i32" }));
      const p = pick(logSoftmax(logits), tensor([tokens.slice(1)], { dtype: "i32" })).data;
      return [...p].reduce((a, b) => a + b, 0) / p.length;
    });
    expect(count).toBe(2);
    expect(mean).toBeCloseTo((likelihoods[0] + likelihoods[1]) / 2, 4);
    const { code, err } = await reins(
      ...["train", "sft", file, "--env-folder", model, "--env-epochs", "6", "--batch", "4"],
      ...["--learning-rate", "1e-3", "--quiet", "--directory", path, "--eval-every", "500"],
    );
    expect([code, err]).toEqual([0, ""]);
    expect((await (await load(path, { best: true })).evaluate()).mean).toBeGreaterThan(mean + 0.5);
    expect((await reins("watch", path)).out).toContain("The number");
    expect((await reins("envs", file)).out).toContain(`Try: reins train sft ${file}`);
    await expect(train({ algorithm: "grpo", env: file, envOptions: { folder: model } })).rejects.toThrow(
      /grpo: some lines of .*texts.jsonl are texts without a prompt.*sft imitates them/,
    );
  });

  it("train a new model on conversations", async () => {
    const turn = (role: string, content: string) => ({ role, content });
    const lines = Array.from({ length: 8 }, (_, i) => ({
      messages: [turn("user", `${i}+1`), turn("assistant", `${i + 1}`)],
    }));
    const file = join(folder(), "conversations.jsonl");
    writeFileSync(file, jsonLines(lines));
    const options = { env: file, envOptions: { ...tiny, supervisedTokens: 16 }, evalEpisodes: 1, steps: 32 };
    for (const algorithm of ["sft", "grpo"])
      expect((await train({ ...options, algorithm })).return.episodes).toBe(1);
  });

  it("train on chosen texts of preferences, by imitation only", async () => {
    const { at, model } = place();
    const file = join(at, "preferences.jsonl");
    const line = (i: number) => ({ prompt: `${i}+1=`, chosen: `${i + 1}`, rejected: `${i}` });
    writeFileSync(file, jsonLines(Array.from({ length: 10 }, (_, i) => line(i))));
    const options = { env: file, envOptions: { folder: model, maxTokens: 4 }, evalEpisodes: 2, steps: 20 };
    const agent = await train({ ...options, algorithm: "sft" });
    const [{ episode }] = agent.run.process.inspect!().episodes!;
    expect(episode).toMatchObject({ answered: { text: expect.stringMatching(/^\d+$/) } });
    await expect(train({ ...options, algorithm: "grpo" })).rejects.toThrow(
      /grpo: some lines of .*preferences.jsonl are preferences.*reins train sft .*each line needs a prompt and an answer/,
    );
  });

  it("end after their epochs, and resume exactly", async () => {
    const { at } = place();
    const options = {
      algorithm: "grpo",
      env: dataset(sums, { judge: "number" }),
      envOptions: { ...tiny, supervisedTokens: 0, epochs: 1 },
      evalEpisodes: 2,
    } as const;
    const whole = await train(options);
    expect(whole.ended).toBe("finished");
    // 18 of 20 are for training, 16 samples of each.
    expect(whole.run.metrics.episodes).toBe(18 * 16);
    const path = join(at, "run");
    const begun = { ...options, algorithm: sft({ batch: 4 }), envOptions: { ...tiny, epochs: 6 } };
    const longer = await train({ ...begun, steps: 100 });
    await train({ ...begun, steps: 50, directory: path });
    const resumed = await resume(path, { steps: 100, env: begun.env, evalEpisodes: 2 });
    expect({ ...resumed.run.metrics }).toEqual({ ...longer.run.metrics });
  });

  it("refuse a judge for environments, unknown judges, missing answers and long texts", async () => {
    const { model, problems } = place();
    await expect(train({ algorithm: "ppo", env: "CartPole-v1", judge: "number" })).rejects.toThrow(
      "a judge is for language tasks",
    );
    await expect(train({ algorithm: "grpo", env: problems, judge: "close" })).rejects.toThrow(
      "judge close does not exist",
    );
    const open = dataset([{ prompt: "Anything?" }, { prompt: "More?" }], { judge: () => 1 });
    await expect(train({ algorithm: "sft", env: open })).rejects.toThrow("no answer to imitate");
    const long = dataset([{ prompt: "? ".repeat(300), answer: "1" }]);
    await expect(textSource(long, { folder: model })).rejects.toThrow("its longest problem takes");
  });
});

describe("the programs of the guide", () => {
  const guide = readFileSync(new URL("../../../../../docs/language.md", import.meta.url), "utf8");
  const programs = [...guide.matchAll(/^```js\n(.*?)^```$/gms)].map((m) => m[1]);

  it("have at most ten lines", () => {
    expect(programs).toHaveLength(2);
    for (const code of programs) expect(code.trimEnd().split("\n").length).toBeLessThanOrEqual(10);
  });

  it.each([0, 1])("run: %i", async (which) => {
    const { at, problems, conversations, model } = place();
    const paths = { "problems.jsonl": problems, "conversations.jsonl": conversations, "./model": model };
    const body = Object.entries({
      ...paths,
      "./adapters": join(at, "adapters"),
      "./tuned": join(at, "tuned"),
    })
      .reduce((code, [name, path]) => code.replace(`"${name}"`, JSON.stringify(path)), programs[which])
      .replace('"runs/problems"', JSON.stringify(join(at, "run")))
      .replace("maxTokens: 256", "maxTokens: 4")
      .replace(/^import .*$/gm, "")
      .replace("await train({", "await train({ steps: 40, evalEpisodes: 2,");
    const Program = Object.getPrototypeOf(async () => {}).constructor as FunctionConstructor;
    await new Program("train", "dataset", body)(train, dataset);
    expect(existsSync(join(at, which ? "tuned/model.safetensors" : "adapters/adapter_config.json"))).toBe(
      true,
    );
  });
});

describe("custom tasks in files", () => {
  it("are accepted as names, and are found again once they are trusted", async () => {
    const { at, task } = place();
    vi.stubEnv("REINS_STATE", join(at, "state"));
    const path = join(at, "run");
    const flags = Object.entries(tiny).map(
      ([k, v]) => `--env-${k === "supervisedTokens" ? "supervised-tokens" : k}=${v}`,
    );
    const { code, err } = await reins(
      "train",
      "sft",
      task,
      ...flags,
      "--steps",
      "200",
      ...quiet,
      "--directory",
      path,
    );
    expect([code, err]).toEqual([0, ""]);
    expect(typeof (await load(path)).act("ab=")).toBe("string");
    rmSync(join(at, "state"), { recursive: true });
    await expect(load(path)).rejects.toThrow("its environment is code");
  });
});

it("a run resumes only with the same problems", async () => {
  const { at } = place();
  const [file, directory] = [join(at, "sums.jsonl"), join(at, "run")];
  const lines = ['{"prompt": "1+2=", "answer": "2"}', '{"prompt": "2+1=", "answer": "1"}'];
  writeFileSync(file, lines.join("\n"));
  const callbacks = { onUpdate: (_: unknown, control: { stop(): void }) => control.stop() };
  await train({ algorithm: "sft", env: file, steps: 1000, directory, callbacks, evalEpisodes: 2 });
  writeFileSync(file, [...lines].reverse().join("\n"));
  await expect(resume(directory, { callbacks })).rejects.toThrow("their file has changed");
  writeFileSync(file, lines.join("\n"));
  expect((await resume(directory, { callbacks })).ended).toBe("stopped");
});

describe("options of models", () => {
  it("set sampling, maximum length, stop strings and the system message", async () => {
    const { model, problems } = place();
    const options = {
      folder: model,
      temperature: 0.7,
      topP: 0.9,
      topK: 20,
      maxTokens: 5,
      stop: "\n",
      system: "Be brief.",
    };
    const agent = await train({
      algorithm: "grpo",
      env: problems,
      envOptions: { ...options, rows: 8 },
      judge: "number",
      steps: 30,
      evalEpisodes: 2,
    });
    // Truncated sampling distributions are what is trained.
    expect(Math.abs(agent.run.metrics["policy/kl"])).toBeLessThan(1e-4);
    expect(agent.run.metrics["length/mean"]).toBeLessThanOrEqual(5);
    const wrong = (more: object, why: string) =>
      expect(taskNamed(problems, { folder: model, ...more })).rejects.toThrow(why);
    await wrong({ temperature: 0 }, "temperature is 0; it must be a number above 0");
    await wrong({ topP: 2 }, "topP is 2; it must be a number from 0 to 1");
    await wrong(
      { loraTargets: "q_proj, query", lora: 2 },
      'target "query" is not a linear module of this model',
    );
    await wrong({ loraTargets: [], lora: 2 }, "targets is empty");
    await wrong({ loraTargets: 3, lora: 2 }, 'loraTargets is 3; it must be "all-linear" or a list');
    await wrong({ loraAlpha: 4 }, "Set their rank too");
    await expect(taskNamed(problems, { system: "?" })).rejects.toThrow("system is for a model from a folder");
  });

  it("select adapters, write them alone, and start from them", async () => {
    const { at, model, problems } = place();
    const to = join(at, "adapters");
    const how = { algorithm: "sft", env: problems, steps: 60, evalEpisodes: 2 } as const;
    const envOptions = {
      folder: model,
      lora: 2,
      loraAlpha: 8,
      loraTargets: "q_proj,v_proj",
      rows: 8,
      maxTokens: 4,
    };
    const agent = await train({ ...how, envOptions });
    await agent.saveAdapters(to);
    expect(existsSync(join(to, "adapter_model.safetensors"))).toBe(true);
    const { lora } = await loadAdapters(to, await loadModel(model));
    expect(lora).toEqual({ rank: 2, alpha: 8, targets: ["q_proj", "v_proj"] });
    const { saveAdapters, stage } = (await taskNamed(problems, {
      folder: model,
      adapters: to,
      maxTokens: 4,
    }))!;
    expect(saveAdapters).toBeDefined();
    expect(stage.answer(stage.policy.init(random.key(1)), "1+1=")).toBeTypeOf("string");
    const plain = await train({ ...how, envOptions: { folder: model, rows: 8, maxTokens: 4 }, steps: 20 });
    await expect(plain.saveAdapters(to)).rejects.toThrow("has no adapters");
  });

  it("write adapters when a run ends or stops, and again after a resume", async () => {
    const { at, model, problems } = place();
    vi.stubEnv("REINS_STATE", join(at, "state"));
    const [path, to] = [join(at, "run"), join(at, "kept", "adapters")];
    const how = { algorithm: "sft", env: problems, steps: 60, evalEpisodes: 0 } as const;
    const envOptions = { folder: model, lora: 2, rows: 8, maxTokens: 4 };
    const upIn = async () => {
      const { params } = await loadAdapters(to, await loadModel(model));
      return [...params.blocks[0].attention.qkv.adapters!.q_proj.up.data];
    };
    const stop = { onProgress: () => false, progressEvery: 0 };
    const begun = await train({ ...how, envOptions, directory: path, saveAdapters: to, ...stop });
    const weightsOf = (agent: { current: { weights: unknown } }) => [
      ...(agent.current.weights as GptParams).blocks[0].attention.qkv.adapters!.q_proj.up.data,
    ];
    expect([begun.ended, await upIn()]).toEqual(["stopped", weightsOf(begun)]);
    expect(JSON.parse(readFileSync(join(path, "config.json"), "utf8")).saveAdapters).toBe(to);
    const { code, out, err } = await reins("resume", path, "--eval-episodes", "0");
    expect([code, err, out]).toEqual([0, "", expect.stringContaining(`The adapters are in ${to}.`)]);
    expect(await upIn()).toEqual(weightsOf(await load(path)));
    expect(await upIn()).not.toEqual(weightsOf(begun));
    // The run's configuration alone does not cause writing.
    rmSync(join(at, "state"), { recursive: true });
    await expect(resume(path, { steps: 80 })).rejects.toThrow("its adapters are to be written to");
    // Errors come before training.
    const wrong = (more: object, why: string) => expect(train({ ...how, ...more })).rejects.toThrow(why);
    await wrong({ envOptions: { folder: model }, saveAdapters: to }, "has no adapters. Train some");
    await wrong({ envOptions, saveAdapters: to, saveModel: to }, "they would count twice");
    // The same of two runs.
    await wrong({ envOptions, saveModel: to }, `${to}: it has adapters (adapter_config.json)`);
    const other = join(at, "other");
    cpSync(model, other, { recursive: true });
    await wrong({ envOptions, saveAdapters: other }, `${other}: it has a model (config.json)`);
    await wrong(
      { envOptions: { folder: model, adapters: to }, saveAdapters: to },
      "the adapters were loaded from this folder",
    );
    await wrong({ envOptions, saveAdapters: 7 }, "saveAdapters is 7; it must be the path of a folder");
  });

  it("write adapters from the command line", async () => {
    const { at, model, problems } = place();
    const to = join(at, "adapters");
    const learned = (...more: string[]) =>
      reins(
        ...["train", "sft", problems, "--env-folder", model, "--env-max-tokens", "4", "--steps", "30"],
        ...["--no-save", "--save-adapters", to, "--eval-episodes", "0", ...more],
      );
    const { code, out } = await learned("--env-lora", "2");
    expect([code, out]).toEqual([0, expect.stringContaining(`The adapters are in ${to}.`)]);
    expect(existsSync(join(to, "adapter_config.json"))).toBe(true);
    const refused = await learned();
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining("--lora 8")]);
  });
});

it("a prompt in both splits of a file is named", async () => {
  const { problems } = place();
  const split = (name: string) => ({ ...sums[0], split: name });
  writeFileSync(problems, jsonLines([split("train"), split("test"), { ...sums[1], split: "train" }]));
  expect((await taskNamed(problems))?.notes).toEqual([
    `1 held-out prompt of ${problems} is also in its training lines, so evaluations are too good. Remove it from one of the splits.`,
  ]);
  writeFileSync(problems, jsonLines(sums));
  expect((await taskNamed(problems))?.notes).toBeUndefined();
});
