import { fail } from "@reins/core";
import { type AdapterParams, loadSafetensors, saveSafetensors } from "@reins/nn";
import { concat, mul, slice, type Tensor, transpose, zeros } from "@reins/tensor";
import { existsSync, join, mkdir, readFile, replaceFile } from "#node";
import type { LanguageModel } from "./language-model.ts";
import { placesOf } from "./layout.ts";
import {
  adapterOf,
  adaptersOf,
  type LoraModel,
  type LoraTarget,
  loraTargets,
  matrixPath,
  withAdapters,
} from "./lora.ts";

const settingsFile = "adapter_config.json";
const tensorsFile = "adapter_model.safetensors";
/** What the PEFT library puts before the names of a model's own modules. */
const prefix = "base_model.model.";

/** Writes a folder that the PEFT library reads. A matrix that is several of its modules gives each the same way down. */
export async function saveAdapters(folder: string, model: LoraModel): Promise<void> {
  const { base, lora, params } = model;
  const tensors = new Map<string, Tensor>();
  const ranks: Record<string, number> = {};
  const modules = new Set<string>();
  base.params.blocks.forEach((_, block) => {
    for (const target of loraTargets) {
      const adapter = adapterOf(params, block, target);
      if (!adapter) continue;
      const rank = adapter.down.shape[1];
      let from = 0;
      for (const { name, size } of modulesOf(base, block, target)) {
        tensors.set(`${prefix}${name}.lora_A.weight`, transpose(adapter.down));
        tensors.set(
          `${prefix}${name}.lora_B.weight`,
          transpose(slice(adapter.up, [null, [from, from + size]])),
        );
        // GPT-2 has two modules of the same last name.
        modules.add(
          name
            .split(".")
            .slice(base.options.style === "llama" ? -1 : -2)
            .join("."),
        );
        if (rank !== lora.rank) ranks[name] = rank;
        from += size;
      }
    }
  });
  const settings = {
    peft_type: "LORA",
    task_type: "CAUSAL_LM",
    base_model_name_or_path: base.config?._name_or_path ?? null,
    r: lora.rank,
    lora_alpha: lora.alpha,
    lora_dropout: 0,
    target_modules: [...modules],
    rank_pattern: ranks,
    alpha_pattern: Object.fromEntries(
      Object.entries(ranks).map(([name, rank]) => [name, (lora.alpha * rank) / lora.rank]),
    ),
    bias: "none",
    fan_in_fan_out: base.options.style !== "llama",
    modules_to_save: null,
    use_rslora: false,
    use_dora: false,
    init_lora_weights: true,
    inference_mode: true,
  };
  await mkdir(folder, { recursive: true });
  await replaceFile(join(folder, settingsFile), `${JSON.stringify(settings, null, 2)}\n`);
  await saveSafetensors(join(folder, tensorsFile), tensors, { format: "pt" });
}

/** Puts the adapters of a folder that the PEFT library wrote on the model they were made for. */
export async function loadAdapters(folder: string, base: LanguageModel): Promise<LoraModel> {
  const path = join(folder, settingsFile);
  if (!existsSync(path)) fail(folder, `there is no ${settingsFile}. Give the folder of PEFT adapters.`);
  const settings = settingsFrom(await readFile(path, "utf8"), path);
  const file = join(folder, tensorsFile);
  const { tensors } = await loadSafetensors(file);
  const left = new Set(tensors.keys());
  const take = (name: string, rows: number | undefined, columns: number | undefined): Tensor => {
    const found = tensors.get(name) ?? fail(file, `it has no tensor "${name}".`);
    left.delete(name);
    const wrong =
      (rows ?? found.shape[0]) !== found.shape[0] || (columns ?? found.shape[1]) !== found.shape[1];
    if (found.rank !== 2 || wrong)
      fail(
        file,
        `tensor "${name}" has shape [${found.shape.join(", ")}]; the model needs [${rows ?? "rank"}, ${columns ?? "rank"}]. Were the adapters made for this model?`,
      );
    return found;
  };
  const whole = settings.scale("", settings.rank);
  const used = new Set<LoraTarget>();
  const params = adaptersOf(base, (target, { weight }, block) => {
    const parts = modulesOf(base, block, target).map(({ name, size }): Part => {
      const at = `${prefix}${name}.lora_`;
      if (!tensors.has(`${at}A.weight`)) return { size };
      const down = take(`${at}A.weight`, undefined, weight.shape[0]);
      const rank = down.shape[0];
      const up = transpose(take(`${at}B.weight`, size, rank));
      const ratio = settings.scale(name, rank) / whole;
      return { size, adapter: { down: transpose(down), up: ratio === 1 ? up : mul(up, ratio) } };
    });
    if (parts.every((p) => !p.adapter)) return undefined;
    used.add(target);
    return side(parts);
  });
  if (left.size)
    fail(
      file,
      `tensor "${[...left][0]}" belongs to no matrix of the model's blocks. Only plain LoRA on them is supported.`,
    );
  const targets = loraTargets.filter((t) => used.has(t));
  return withAdapters(base, { rank: settings.rank, alpha: whole * settings.rank, targets }, params);
}

/** One of the modules that a matrix joins along its outputs, with its adapter where it has one. */
interface Part {
  readonly size: number;
  readonly adapter?: AdapterParams;
}

/** One adapter that does what those of the parts do. Different ways down stand side by side, each leading up to its own outputs. */
function side(parts: readonly Part[]): AdapterParams {
  const [first] = parts;
  if (first.adapter && parts.every(({ adapter }) => adapter && same(adapter.down, first.adapter!.down)))
    return {
      down: first.adapter.down,
      up:
        parts.length === 1
          ? first.adapter.up
          : concat(
              parts.map((p) => p.adapter!.up),
              1,
            ),
    };
  const rows = parts.flatMap(({ adapter }, i) =>
    adapter
      ? [
          concat(
            parts.map((p, k) => (k === i ? adapter.up : zeros([adapter.up.shape[0], p.size]))),
            1,
          ),
        ]
      : [],
  );
  const downs = parts.flatMap(({ adapter }) => (adapter ? [adapter.down] : []));
  return { down: concat(downs, 1), up: concat(rows, 0) };
}

const same = (a: Tensor, b: Tensor) =>
  a.shape.join() === b.shape.join() && a.data.every((x, i) => x === b.data[i]);

/** The modules of Hugging Face's model that one of our matrices joins. */
function modulesOf({ options, config }: LanguageModel, block: number, target: LoraTarget) {
  const at = matrixPath(block, target);
  const places = placesOf(options, config?.model_type);
  const { names, shape, sizes = shape.slice(-1) } = places.find((p) => p.at === at)!;
  return names.map((name, i) => ({ name: name.replace(/\.weight$/, ""), size: sizes[i] }));
}

/** The rank, and how much an adapter of a module counts. */
function settingsFrom(text: string, path: string) {
  let config: { readonly [field: string]: unknown };
  try {
    config = JSON.parse(text) as typeof config;
  } catch (error) {
    return fail(path, `it is not JSON (${(error as Error).message}).`);
  }
  const { peft_type: type, r: rank, lora_alpha: alpha } = config;
  if (type !== "LORA") fail(path, `peft_type is ${JSON.stringify(type)}; only "LORA" is supported.`);
  if (typeof rank !== "number" || typeof alpha !== "number")
    return fail(path, "it has no numbers r and lora_alpha.");
  for (const field of ["layer_replication", "alora_invocation_tokens", "use_dora", "lora_bias"])
    if (config[field])
      fail(
        path,
        `${field} is ${JSON.stringify(config[field])}: with it adapters do something else, which is not supported.`,
      );
  const own = Object.entries((config.alpha_pattern ?? {}) as { [pattern: string]: number });
  return {
    rank,
    scale(module: string, actual: number): number {
      const found = own.find(([pattern]) => new RegExp(`^(.*\\.)?(${pattern})$`).test(module));
      return (found?.[1] ?? alpha) / (config.use_rslora === true ? Math.sqrt(actual) : actual);
    },
  };
}
