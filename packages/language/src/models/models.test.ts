import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  adamW,
  flattenNames,
  type GptParams,
  materialise,
  type OptimiserState,
  saveSafetensors,
} from "@reins/nn";
import {
  argmax,
  compile,
  crossEntropy,
  iota,
  logSoftmax,
  maximum,
  pick,
  random,
  slice,
  sub,
  type Tensor,
  tensor,
  valueAndGradient,
} from "@reins/tensor";
import { afterAll, describe, expect, it } from "vitest";
import { TextGenerator } from "../generation/generator.ts";
import { optionsFromConfig } from "./config.ts";
import { loadModel, saveModel } from "./folder.ts";
import { newModel } from "./language-model.ts";
import { tensorsOf } from "./layout.ts";

const root = process.env.REINS_FIXTURES ?? fileURLToPath(new URL("../../../../fixtures", import.meta.url));
const folders = readdirSync(join(root, "hf"), { withFileTypes: true })
  .filter((d) => d.isDirectory())
  .map((d) => d.name);
const temporary = mkdtempSync(join(tmpdir(), "reins-models-"));
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

interface Expected {
  input_ids: number[][];
  logits_first8_last_position: number[][];
  logits_sum_abs: number;
  token_logprobs: number[][];
  loss: number;
  grad_norm_first_last: { [tensor: string]: [norm: number, first: number, last: number] };
  greedy_from_first_8: number[][];
  left_padded_lengths: number[];
  left_padded_last_logits_first8: number[][];
  "adamw_lr1e-3_b0.9_0.95_wd0.1_losses": number[];
}

const ints = (values: number[][]) => tensor(values, { dtype: "i32" });
const close = (got: ArrayLike<number>, want: readonly number[], tolerance = 1e-4) => {
  expect(got.length).toBe(want.length);
  want.forEach((w, i) =>
    expect(Math.abs(got[i] - w), `number ${i}: ${got[i]} for ${w}`).toBeLessThan(
      tolerance * Math.max(1, Math.abs(w)),
    ),
  );
};

describe.each(folders)("Hugging Face's %s", (name) => {
  const folder = join(root, "hf", name);
  const expected = JSON.parse(readFileSync(join(folder, "expected.json"), "utf8")) as Expected;
  const ids = ints(expected.input_ids);
  const time = ids.shape[1];
  // `gemma3`, `llama` and `gpt2` have every kind of layer between them; the others differ in their configuration.
  const tags = ["gemma3", "gpt2", "llama"].includes(name) ? [] : ["slow"];

  it("has the same logits and log-probabilities, also after saving and loading", async () => {
    const first = await loadModel(folder);
    const copy = join(temporary, name);
    await saveModel(copy, first);
    for (const { model, params } of [first, await loadModel(copy)]) {
      const { last, logProbs } = compile((p: GptParams, t: Tensor) => {
        const logits = model.apply(p, t);
        return {
          last: slice(logits, [null, [time - 1, time], [0, 8]]),
          logProbs: pick(logSoftmax(slice(logits, [null, [0, time - 1]])), slice(t, [null, [1, time]])),
        };
      })(params, ids);
      close(last.data, expected.logits_first8_last_position.flat());
      close(logProbs.data, expected.token_logprobs.flat());
    }
  });

  it("has the same loss and gradients", async () => {
    const { model, params, options, config } = await loadModel(folder);
    const { loss, gradient } = compile((p: GptParams, t: Tensor) => {
      const found = valueAndGradient((q: GptParams) =>
        crossEntropy(slice(model.apply(q, t), [null, [0, time - 1]]), slice(t, [null, [1, time]])),
      )(p);
      return { loss: found.value, gradient: found.gradient };
    })(params, ids);
    close([loss.item()], [expected.loss]);
    const named = tensorsOf(flattenNames(gradient), options, config?.model_type);
    for (const [tensorName, numbers] of Object.entries(expected.grad_norm_first_last)) {
      const g = materialise(named.get(tensorName)!).data as Float32Array;
      const norm = Math.sqrt(g.reduce((sum, x) => sum + x * x, 0));
      close([norm, g[0], g[g.length - 1]], numbers);
    }
  });

  it("continues greedily with the same tokens, through its KV cache", async () => {
    const { model, params } = await loadModel(folder);
    const rows = expected.greedy_from_first_8.length;
    const step = compile(
      (p: GptParams, t: Tensor, s: ReturnType<typeof model.start>) => {
        const { output, state } = model.step(p, t, s);
        return { token: argmax(slice(output, [null, [t.shape[1] - 1, t.shape[1]]])), state };
      },
      { donate: [2] },
    );
    const long = expected.greedy_from_first_8[0].length;
    const found = expected.greedy_from_first_8.map((g) => g.slice(0, 8));
    let next = step(
      params,
      slice(ints(expected.input_ids.slice(0, rows)), [null, [0, 8]]),
      model.start(rows, { maximum: long }),
    );
    for (;;) {
      found.forEach((g, i) => g.push(next.token.data[i]));
      if (found[0].length === long) break;
      next = step(params, next.token, next.state);
    }
    expect(found).toEqual(expected.greedy_from_first_8);
  });

  it.runIf(name === "gemma3" || name === "mistral-window")(
    "gives the same tokens in a generator",
    async () => {
      const { model, params, options } = await loadModel(folder);
      const { vocabulary, context } = options;
      const sampling = { temperature: 0 };
      const generator = new TextGenerator({ model, params, vocabulary, context, sampling, end: -1, rows: 2 });
      const limit = expected.greedy_from_first_8[0].length - 8;
      const texts = generator.generate(
        expected.greedy_from_first_8.map((g, seed) => ({ prompt: g.slice(0, 8), seed, limit })),
      );
      expect(texts.map((t) => t.tokens)).toEqual(expected.greedy_from_first_8.map((g) => g.slice(8)));
    },
  );

  it("gives rows that are padded on the left the logits they have alone", { tags }, async () => {
    const { model, params } = await loadModel(folder);
    const lengths = expected.left_padded_lengths;
    const most = Math.max(...lengths);
    const padded = lengths.map((n, i) => [...Array(most - n).fill(0), ...expected.input_ids[i].slice(0, n)]);
    const pads = tensor(
      lengths.map((n) => [most - n]),
      { dtype: "i32" },
    );
    const mask = tensor(
      lengths.flatMap((n) => Array.from({ length: most * most }, (_, k) => (k % most >= most - n ? 1 : 0))),
      { shape: [lengths.length, 1, most, most], dtype: "bool" },
    );
    const logits = model.apply(params, ints(padded), {
      positions: maximum(sub(iota([1, most], 1), pads), 0),
      mask,
    });
    close(
      slice(logits, [null, [most - 1, most], [0, 8]]).data,
      expected.left_padded_last_logits_first8.flat(),
    );
  });

  it("trains with AdamW to the same losses", { tags }, async () => {
    const { model, params } = await loadModel(folder);
    const optimiser = adamW({ learningRate: 1e-3, beta2: 0.95, weightDecay: 0.1 });
    const update = compile(
      (p: GptParams, s: OptimiserState<GptParams>, t: Tensor) => {
        const { value, gradient } = valueAndGradient((q: GptParams) =>
          crossEntropy(slice(model.apply(q, t), [null, [0, time - 1]]), slice(t, [null, [1, time]])),
        )(p);
        return { loss: value, ...optimiser.update(gradient, s, p) };
      },
      { donate: [0, 1] },
    );
    let now = { params, state: optimiser.init(params) };
    const want = expected["adamw_lr1e-3_b0.9_0.95_wd0.1_losses"];
    const losses = want.map(() => {
      const next = update(now.params, now.state, ids);
      now = next;
      return next.loss.item();
    });
    close(losses, want);
  });
});

describe("folders", () => {
  const tiny = { layers: 1, width: 8, heads: 2, context: 6, vocabulary: 11 } as const;
  const styles = {
    gpt2: tiny,
    llama: { ...tiny, style: "llama", keyHeads: 1 },
    qwen3: { ...tiny, style: "llama", normaliseHeads: true, rotary: { base: 5e5 }, headWidth: 6, tied: true },
  } as const;
  it.each(Object.entries(styles))("%s round-trips bit for bit", async (name, options) => {
    const before = newModel(options, random.key(3));
    await saveModel(join(temporary, `new-${name}`), before);
    const after = await loadModel(join(temporary, `new-${name}`));
    const tokens = ints([[1, 5, 2, 9]]);
    expect(after.model.apply(after.params, tokens).data).toEqual(
      before.model.apply(before.params, tokens).data,
    );
  });

  it("reads both forms of rope_theta", () => {
    const config = {
      model_type: "llama",
      vocab_size: 8,
      max_position_embeddings: 4,
      num_hidden_layers: 1,
      hidden_size: 4,
      num_attention_heads: 1,
      intermediate_size: 8,
      rms_norm_eps: 1e-6,
    };
    expect(optionsFromConfig({ ...config, rope_theta: 5e5 }).rotary).toEqual({ base: 5e5 });
    expect(
      optionsFromConfig({ ...config, rope_parameters: { rope_theta: 7e5, rope_type: "default" } }).rotary,
    ).toEqual({ base: 7e5 });
    expect(() => optionsFromConfig({ ...config, rope_scaling: { type: "yarn" } })).toThrow(
      'rope scaling of type "yarn" needs factor',
    );
    expect(() => optionsFromConfig({ ...config, rope_scaling: { type: "mrope" } })).toThrow(
      'rope scaling of type "mrope"',
    );
    expect(() => optionsFromConfig({ ...config, model_type: "mamba" })).toThrow(
      "Supported types: gpt2, llama",
    );
    expect(() => optionsFromConfig({ ...config, hidden_act: "relu" })).toThrow('only "silu"');
  });

  it("writes floats with a decimal point, as other readers expect", async () => {
    const from = join(root, "hf", "gemma2");
    const copy = join(temporary, "floats");
    await saveModel(copy, await loadModel(from));
    const text = readFileSync(join(copy, "config.json"), "utf8");
    expect(text).toContain('"final_logit_softcapping": 3.0,');
    expect(text).toContain('"rope_theta": 10000.0');
    expect(text).toContain('"hidden_size": 32,');
  });

  it("reports invalid checkpoints", async () => {
    const folder = join(temporary, "broken");
    const model = newModel(tiny, random.key(1));
    await saveModel(folder, model);
    await saveSafetensors(join(folder, "model.safetensors"), [["transformer.wte.weight", tensor([[1, 2]])]]);
    await expect(loadModel(folder)).rejects.toThrow(
      'tensor "transformer.wte.weight" has shape [1, 2]; config.json requires [11, 8]',
    );
    writeFileSync(join(folder, "config.json"), "{");
    await expect(loadModel(folder)).rejects.toThrow("invalid JSON");
    await expect(loadModel(join(temporary, "nowhere"))).rejects.toThrow("config.json is missing");
  });

  it("reports invalid tensor files", async () => {
    const folder = join(temporary, "torn");
    await saveModel(folder, newModel(tiny, random.key(1)));
    const file = join(folder, "model.safetensors");
    const whole = readFileSync(file);
    const header = 8 + Number(whole.readBigUInt64LE(0));
    const changed = (text: string) => {
      const bytes = Buffer.from(text.padEnd(header - 8));
      return Buffer.concat([whole.subarray(0, 8), bytes, whole.subarray(header)]);
    };
    const bad: [Buffer, string][] = [
      [whole.subarray(0, whole.length - 4), "It is truncated"],
      [whole.subarray(0, header - 3), "It is truncated"],
      [whole.subarray(0, 5), "It may be truncated"],
      [Buffer.from("nonsense that is long enough"), "not a safetensors file"],
      [changed("{"), "the header is not JSON"],
      [changed("[]"), "not a JSON object"],
      [changed("{}"), "do not belong to a tensor"],
    ];
    for (const [bytes, why] of bad) {
      writeFileSync(file, bytes);
      await expect(loadModel(folder)).rejects.toThrow(why);
      await expect(loadModel(folder)).rejects.toThrow(file);
    }
    const { "transformer.wpe.weight": _, ...rest } = Object.fromEntries(
      tensorsOf(flattenNames(newModel(tiny, random.key(1)).params), tiny),
    );
    await saveSafetensors(file, Object.entries(rest));
    await expect(loadModel(folder)).rejects.toThrow('"transformer.wpe.weight"');
    rmSync(file);
    await expect(loadModel(folder)).rejects.toThrow(
      "model.safetensors and model.safetensors.index.json are missing",
    );
  });

  it("reports invalid configurations", async () => {
    const folder = join(temporary, "odd");
    await saveModel(folder, newModel(tiny, random.key(1)));
    const file = join(folder, "config.json");
    const config = JSON.parse(readFileSync(file, "utf8"));
    const bad: [unknown, string][] = [
      [null, "model_type is missing"],
      [[], "model_type is missing"],
      [{}, "model_type is missing"],
      [{ ...config, model_type: "mamba" }, "Supported types: gpt2"],
      [{ ...config, n_layer: "two" }, "n_layer must be a number"],
      [{ ...config, vocab_size: undefined }, "vocab_size must be a number"],
      [{ ...config, n_embd: 16 }, "config.json requires [11, 16]"],
      [{ ...config, n_layer: 2 }, "transformer.h.1"],
    ];
    for (const [value, why] of bad) {
      writeFileSync(file, JSON.stringify(value));
      await expect(loadModel(folder)).rejects.toThrow(why);
    }
  });
});
