import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chatMl, loadModel } from "@reins/language";
import type { GptParams } from "@reins/nn";
import { describe, expect, it, vi } from "vitest";
import { folder, reins } from "../../cli/testing.ts";
import { load, resume, train } from "../../index.ts";
import { dataSource } from "./data.ts";

vi.stubEnv("REINS_BACKEND", "wasm");

const fixtures = join(
  process.env.REINS_FIXTURES ?? fileURLToPath(new URL("../../../../../fixtures", import.meta.url)),
  "hf",
);
const jsonLines = (lines: readonly unknown[]) =>
  lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n");

/** A folder with a model and a file of these lines. */
function place(lines: readonly unknown[]) {
  const at = folder();
  const model = join(at, "model");
  cpSync(join(fixtures, "llama"), model, { recursive: true });
  cpSync(join(fixtures, "tokenizer.json"), join(model, "tokenizer.json"));
  writeFileSync(join(model, "chat_template.jinja"), chatMl);
  const file = join(at, "examples.jsonl");
  writeFileSync(file, jsonLines(lines));
  return { at, model, file };
}

const sums = Array.from({ length: 20 }, (_, i) => ({ prompt: `${i}+1=`, completion: `${i + 1}` }));
const preferences = Array.from({ length: 10 }, (_, i) => ({
  prompt: `${i}+1=`,
  chosen: `${i + 1}`,
  rejected: `${i}`,
}));

describe("compared completions of a file", () => {
  const compared = ["dpo", "ipo", "kto", "lipo", "step-dpo", "simpo"];

  it.each(compared)("train %s with one command", async (name) => {
    const { at, model, file } = place(preferences);
    const path = join(at, "run");
    const { code, err } = await reins(
      ...["train", name, file, "--model", model, "--lora", "2", "--env-epochs", "2", "--batch", "3"],
      ...["--learning-rate", "1e-3", "--directory", path, "--quiet", "--eval-episodes", "2"],
    );
    expect([code, err]).toEqual([0, ""]);
    const rows = readFileSync(join(path, "metrics.jsonl"), "utf8").trim().split("\n");
    const last = JSON.parse(rows.at(-1)!);
    expect(last.epoch).toBe(2);
    const { envOptions } = JSON.parse(readFileSync(join(path, "config.json"), "utf8"));
    expect(envOptions).toMatchObject({ epochs: 2, folder: model });
    expect(Number.isFinite(last["loss/preference"])).toBe(true);
    expect(last.updates).toBe(6);
  });

  it("make an update of each epoch of a file that is smaller than the usual batch", async () => {
    const { model, file } = place(preferences);
    const options = { env: file, envOptions: { folder: model, epochs: 3, test: 0 }, evalEpisodes: 1 };
    const { run } = await train({ ...options, algorithm: "dpo" });
    expect([run.options.algorithm.options.batch, run.metrics.updates]).toEqual([10, 3]);
    writeFileSync(file, jsonLines(sums.slice(0, 5)));
    const taught = await train({ ...options, algorithm: "sft", settings: { validation: 0 } });
    expect([taught.run.options.algorithm.options.batch, taught.run.metrics.updates]).toEqual([5, 3]);
  });

  it("are evaluated by their log-probability, and marked as chosen or rejected", async () => {
    const { at, model, file } = place(preferences);
    const path = join(at, "run");
    const { out } = await reins(
      ...[
        "train",
        "dpo",
        file,
        "--model",
        model,
        "--batch",
        "9",
        "--directory",
        path,
        "--eval-episodes",
        "1",
      ],
    );
    expect(out).toMatch(/loss 0\.\d+ {3}accuracy \d+ % {3}margin /);
    expect(out).toMatch(/Log-probability per token -\d.* over 1 held-out example\./);
    expect((await reins("eval", path)).out).toMatch(
      /tokens\n\nreturn {3}-\d.* over 1 held-out example, log-probability per token\n/,
    );
    const watched = (await reins("watch", path)).out;
    for (const mark of ["  chosen\n", "  rejected\n"]) expect(watched).toContain(mark);
  });

  it("train kto on labels, and no method that compares completions", async () => {
    const lines = preferences.flatMap(({ prompt, chosen, rejected }) => [
      { prompt, completion: chosen, label: true },
      { prompt, completion: rejected, label: false },
    ]);
    const { model, file } = place(lines);
    const options = { env: file, envOptions: { folder: model, epochs: 1, test: 0 }, evalEpisodes: 2 };
    const { run } = await train({ ...options, algorithm: "kto", settings: { batch: 5 } });
    expect(run.metrics.updates).toBe(4);
    const labels = run.process.inspect!().episodes!.map(({ episode }) => [episode.score, episode.group]);
    // Every completion is followed by a mismatched one.
    expect(labels.map(([score]) => score !== undefined)).toEqual(labels.map((_, i) => i % 2 === 0));
    await expect(train({ ...options, algorithm: "dpo" })).rejects.toThrow(
      "its completions have labels, and dpo compares several completions of a prompt. Use kto",
    );
    writeFileSync(file, jsonLines(sums));
    await expect(train({ ...options, algorithm: "dpo" })).rejects.toThrow(
      "it has no compared completions, from which dpo learns; it has completion",
    );
  });

  it("raise the margin of the chosen ones, and resume exactly", async () => {
    const { at, model, file } = place(preferences);
    const options = {
      algorithm: "dpo",
      env: file,
      envOptions: { folder: model, epochs: 20, test: 0 },
      evalEpisodes: 1,
    } as const;
    const settings = { batch: 5, learningRate: 1e-3 };
    const whole = await train({ ...options, settings, steps: 160 });
    expect(whole.run.metrics["preference/margin"]).toBeGreaterThan(0.2);
    const path = join(at, "run");
    await train({ ...options, settings, steps: 80, directory: path });
    const resumed = await resume(path, { steps: 160, evalEpisodes: 1 });
    expect({ ...resumed.run.metrics }).toEqual({ ...whole.run.metrics });
  });
});

describe("examples of a file", () => {
  it("are learned with one command, without the lines that cannot be used", async () => {
    const { at, model, file } = place([...sums, '{"prompt": "?"', { prompt: "?", completion: "" }]);
    const path = join(at, "run");
    const { code, err } = await reins(
      ...["train", "sft", file, "--model", model, "--lora", "2", "--env-epochs", "2", "--batch", "4"],
      ...["--directory", path, "--quiet", "--save-adapters", join(at, "adapters"), "--validate-every", "2"],
    );
    expect([code, err]).toEqual([0, expect.stringContaining("2 of 22 lines are left out.")]);
    expect(err).toContain(`${file}, line 21: invalid JSON`);
    const rows = readFileSync(join(path, "metrics.jsonl"), "utf8")
      .trim()
      .split("\n")
      .map((row) => JSON.parse(row));
    const last = rows.at(-1);
    expect(last.epoch).toBe(2);
    expect(last["validation/loss"]).toBeLessThan(rows[0]["validation/loss"]);
    expect(existsSync(join(at, "adapters", "adapter_model.safetensors"))).toBe(true);
    // Steps are learned tokens: two epochs exactly.
    expect(JSON.parse(readFileSync(join(path, "summary.json"), "utf8")).steps).toBe(
      JSON.parse(readFileSync(join(path, "config.json"), "utf8")).steps,
    );
    const leaky = join(at, "leaky.jsonl");
    writeFileSync(leaky, jsonLines([sums[0], { ...sums[0], split: "test" }, { ...sums[1], split: "train" }]));
    expect((await dataSource(leaky, { folder: model })).notes).toBeUndefined();
    writeFileSync(
      leaky,
      jsonLines([
        { ...sums[0], split: "train" },
        { ...sums[0], split: "test" },
      ]),
    );
    expect((await dataSource(leaky, { folder: model })).notes).toEqual([
      expect.stringContaining("1 held-out prompt of"),
    ]);
    const agent = await load(path);
    expect((await agent.evaluate(2)).mean).toBeLessThan(0);
    expect(typeof agent.act("1+1=")).toBe("string");
    expect((await reins("watch", path)).code).toBe(0);
  });

  it("resume exactly, and only with the same lines", async () => {
    const { at, model, file } = place(sums);
    const options = {
      algorithm: "sft",
      env: file,
      envOptions: { folder: model, epochs: 4 },
      evalEpisodes: 2,
    } as const;
    const settings = { batch: 4, validateEvery: 2 };
    const whole = await train({ ...options, settings, steps: 60 });
    const path = join(at, "run");
    await train({ ...options, settings, steps: 30, directory: path });
    const resumed = await resume(path, { steps: 60, evalEpisodes: 2 });
    expect({ ...resumed.run.metrics }).toEqual({ ...whole.run.metrics });
    writeFileSync(file, jsonLines([...sums].reverse()));
    await expect(resume(path, { steps: 70 })).rejects.toThrow("their file has changed");
  });

  it("of several files are mixed by weight, each in epochs of its own", async () => {
    const { at, model, file } = place(sums);
    const other = join(at, "other.jsonl");
    writeFileSync(other, jsonLines(preferences));
    const { stage } = await dataSource(file, { folder: model, mix: `${other}:0.5`, test: 0 });
    // A run is resumed from the options that the source returns.
    const comma = join(at, "a,b.jsonl");
    writeFileSync(comma, jsonLines(preferences));
    const { options } = await dataSource(file, { folder: model, mix: [`${comma}:0.5`] });
    expect(await dataSource(file, options)).toMatchObject({ options });
    expect([stage.problems, stage.parts]).toEqual([
      30,
      [
        { count: 20, weight: 1 },
        { count: 10, weight: 0.5 },
      ],
    ]);
    const mixed = await train({
      algorithm: "sft",
      env: file,
      envOptions: { folder: model, mix: [`${other}:2`], test: 0, epochs: 1 },
      settings: { batch: 6 },
      evalEpisodes: 2,
    });
    expect([mixed.ended, mixed.run.metrics.epoch]).toEqual(["finished", 1]);
  });

  it("of several files take the tokens of the examples that the weights draw", async () => {
    const { at, model, file } = place(sums);
    const long = join(at, "long.jsonl");
    const words = "one two three four five six seven eight nine ten ";
    writeFileSync(
      long,
      jsonLines([0, 1].map((i) => ({ prompt: `${i}?`, completion: `${words.repeat(3)}${i}` }))),
    );
    const mixed = await train({
      algorithm: "sft",
      env: file,
      envOptions: { folder: model, mix: [`${long}:1`], test: 0, epochs: 1 },
      settings: { batch: 2, validation: 0 },
      evalEpisodes: 2,
    });
    expect(mixed.run.metrics.epoch).toBe(1);
  });

  it("of several files: warns of held-out prompts that another file trains on", async () => {
    const { at, model, file } = place(sums);
    const other = join(at, "other.jsonl");
    writeFileSync(other, jsonLines(sums.map((line) => ({ ...line, split: "train" }))));
    expect((await dataSource(file, { folder: model, mix: other })).notes).toEqual([
      `2 held-out prompts of ${file} are also in the training lines of ${other}, so validation is too good. Remove them there.`,
    ]);
    // The same lines are split in the same way.
    writeFileSync(other, jsonLines(sums));
    expect((await dataSource(file, { folder: model, mix: other })).notes).toBeUndefined();
  });

  it("stop early on the validation loss, with the best weights", async () => {
    const { model, file } = place(sums);
    const options = {
      algorithm: "sft",
      env: file,
      envOptions: { folder: model, epochs: 100 },
      evalEpisodes: 2,
    } as const;
    // A learning rate that diverges.
    const settings = { batch: 4, validateEvery: 1, patience: 3, learningRate: 0.3 };
    const stopped = await train({ ...options, settings });
    expect(stopped.ended).toBe("finished");
    expect(stopped.run.metrics.updates).toBeLessThan(60);
    const { stage } = await dataSource(file, { folder: model });
    const final = await stage.evaluate(stopped.current.weights, { episodes: 2 });
    expect(final.mean).toBeGreaterThan(-stopped.run.metrics["validation/loss"]);
  });

  it("are packed into rows with the same result", async () => {
    const lines = Array.from({ length: 12 }, (_, i) => ({
      prompt: `${i}:`,
      completion: "one two three ".repeat(1 + (i % 5)),
    }));
    const { model, file } = place(lines);
    const weightsAfter = async (packing: number) => {
      const { run, current } = await train({
        algorithm: "sft",
        env: file,
        envOptions: { folder: model, epochs: 1, test: 0 },
        settings: { batch: 6, packing, validation: 0 },
        evalEpisodes: 1,
      });
      return {
        loss: run.metrics["loss/cloning"],
        table: [...(current.weights as GptParams).tokens.table.data],
      };
    };
    const [alone, packed] = [await weightsAfter(0), await weightsAfter(96)];
    expect(packed.loss).toBeCloseTo(alone.loss, 4);
    // Sums in another order, after two steps of AdamW.
    const apart = packed.table.reduce((most, x, i) => Math.max(most, Math.abs(x - alone.table[i])), 0);
    expect(apart).toBeLessThan(1e-5);
  });

  it("that the template refuses or that do not fit are left out and counted", async () => {
    const calls = { role: "assistant", content: "", tool_calls: [{ function: { name: "add" } }] };
    const long = { prompt: "one two three ".repeat(400), completion: "4" };
    const { model, file } = place([
      ...sums.slice(0, 6),
      { messages: [{ role: "user", content: "2+2?" }, calls] },
      long,
    ]);
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    const { run } = await train({
      algorithm: "sft",
      env: file,
      envOptions: { folder: model, epochs: 1, test: 0 },
      settings: { batch: 3 },
      evalEpisodes: 8,
    });
    expect(run.metrics["data/left-out"]).toBe(2);
    expect(warn.mock.calls.map(([text]) => text).join("\n")).toContain(
      `${file}, line 7: chat: a turn has tool_calls`,
    );
    writeFileSync(file, jsonLines([long, { ...long, completion: "5" }]));
    await expect(
      train({
        algorithm: "sft",
        env: file,
        envOptions: { folder: model, test: 0 },
        settings: { batch: 2, validation: 0 },
      }),
    ).rejects.toThrow("examples.jsonl: no example can be used: they do not fit into the model's context");
    writeFileSync(file, jsonLines([{ messages: [{ role: "user", content: "2+2?" }, calls] }]));
    await expect(
      train({
        algorithm: "sft",
        env: file,
        envOptions: { folder: model, test: 0 },
        settings: { validation: 0 },
      }),
    ).rejects.toThrow(/should spell them\. reins data check/);
    warn.mockRestore();
  });

  it("are not saved over the model, and through no links", async () => {
    const { at, model, file } = place(sums);
    const [link, out, other] = ["link", "out", "other.json"].map((name) => join(at, name));
    symlinkSync(model, link);
    const source = await dataSource(file, { folder: model });
    expect(() => source.checkFolder!(link, "model")).toThrow("the model was loaded from this folder");
    mkdirSync(out);
    writeFileSync(other, "keep");
    symlinkSync(other, join(out, "tokenizer.json"));
    const { params } = await loadModel(model);
    await source.saveModel!(params, out);
    expect(readFileSync(other, "utf8")).toBe("keep");
    expect(readFileSync(join(out, "tokenizer.json"))).toEqual(readFileSync(join(model, "tokenizer.json")));
  });

  it("refuse what cannot be trained, and say what to do", async () => {
    const { model, file, at } = place(sums);
    const wrong = (options: object, why: string) =>
      expect(dataSource(file, { folder: model, ...options })).rejects.toThrow(why);
    await wrong({ test: 1 }, "test is 1; it must be the fraction of held-out examples");
    await wrong({ truncation: "middle" }, 'truncation is "middle"; it must be one of end, start, drop');
    await wrong({ mix: 3 }, "mix is 3; it must name files with weights");
    await wrong({ mix: "other.jsonl:0" }, "the weight of other.jsonl in mix is 0");
    await wrong({ mix: "missing.jsonl" }, "missing.jsonl: the file does not exist");
    await expect(dataSource(file, {})).rejects.toThrow("the examples need a model");
    const bad = join(at, "bad.jsonl");
    writeFileSync(bad, '{"prompt": "?"}\n{}');
    await expect(dataSource(bad, { folder: model })).rejects.toThrow(
      `none of its lines can be used. ${bad}, line 1: the line has a prompt, but no completion`,
    );
    await expect(train({ algorithm: "sft", env: "CartPole-v1" })).rejects.toThrow(
      "CartPole-v1 is a stepped environment, but sft learns from examples",
    );
  });
});
