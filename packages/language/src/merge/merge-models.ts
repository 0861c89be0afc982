import { fail, ReinsError } from "@reins/core";
import { saveSafetensors } from "@reins/nn";
import { tensor } from "@reins/tensor";
import { join, mkdir, readdir } from "#node";
import { optionsFromConfig } from "../models/config.ts";
import { configFile } from "../models/model-files.ts";
import { copyModelFiles } from "./copy-model-files.ts";
import { type MergeMethod, type MergeSettings, mergeMethods, mergeTensors } from "./methods.ts";
import { type MergeSource, openSource } from "./source.ts";

/** Settings of {@link mergeModels}. */
export interface MergeOptions {
  /** Folders of models, or of PEFT adapters for `base`. */
  readonly models: readonly string[];
  /** The folder that is written. */
  readonly out: string;
  /** How (default `linear`). */
  readonly method?: MergeMethod;
  /** The model from which the others were trained: for the methods that add differences, and for adapters. */
  readonly base?: string;
  /** A weight for each model (default 1). `linear` divides by their sum; for `slerp` they are the shares of the two. */
  readonly weights?: readonly number[];
  /** Share of each difference that `ties` and `dare` keep (default 0.2). */
  readonly density?: number;
  /** Which elements `dare` keeps (default 0). */
  readonly seed?: number;
  /** Called after each tensor. */
  readonly onTensor?: (done: number, of: number) => void;
}

/**
 * Merges models of one architecture into a new folder, tensor by tensor: memory holds one tensor of each model. Tokenizer and configuration
 * are those of the base model, or of the first.
 */
export async function mergeModels(options: MergeOptions): Promise<void> {
  const { models, out, base, onTensor } = options;
  const settings = settingsOf(options);
  await requireEmpty(out);
  const opened: MergeSource[] = [];
  try {
    for (const folder of models) opened.push(await openSource(folder, base));
    const origin = base === undefined ? undefined : await openSource(base);
    if (origin) opened.push(origin);
    const first = origin ?? opened[0];
    for (const source of opened) checkAlike(first, source);
    const merged = opened.slice(0, models.length);
    const needsBase = settings.method !== "linear" && settings.method !== "slerp";
    const data = async (source: MergeSource, name: string): Promise<Float32Array> => {
      const { data: elements } = await source.tensor(name);
      if (elements instanceof Float32Array) return elements;
      return fail(
        source.folder,
        `tensor "${name}" has integers. Only models with float weights can be merged.`,
      );
    };
    let done = 0;
    const tensors = [...first.shapes].map(([name, shape]) => {
      const make = async () => {
        const own = [];
        for (const source of merged) own.push(await data(source, name));
        const from = needsBase ? await data(first, name) : undefined;
        const elements = mergeTensors(own, from, settings, name);
        if (!elements.every(Number.isFinite))
          fail(
            (merged[own.findIndex((x) => !x.every(Number.isFinite))] ?? first).folder,
            `tensor "${name}" has elements that are not finite, or become so when they are merged. Leave the model out, or use other weights.`,
          );
        onTensor?.(++done, first.shapes.size);
        return tensor(elements, { shape });
      };
      return [name, { shape, dtype: "f32" as const, make }] as const;
    });
    await mkdir(out, { recursive: true });
    await saveSafetensors(join(out, "model.safetensors"), tensors, { format: "pt" });
    await copyModelFiles(base ?? models[0], out, `${configFile(first.config)}\n`);
  } finally {
    for (const source of opened) await source.close();
  }
}

/** Refuses a folder with files: those of another model would be mixed with the new ones. */
async function requireEmpty(out: string): Promise<void> {
  const found = await readdir(out).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  const [file] = found.filter((name) => !name.startsWith("."));
  if (file !== undefined) fail(out, `it has a ${file} already. Choose a new folder.`);
}

/** The settings with their defaults; errors name what does not fit. */
function settingsOf({ models, base, method = "linear", weights, density = 0.2, seed = 0 }: MergeOptions) {
  const refuse = (message: string): never => fail("mergeModels", message);
  if (!mergeMethods.includes(method))
    refuse(`the method is ${JSON.stringify(method)}; it must be one of ${mergeMethods.join(", ")}.`);
  if (models.length === 0) refuse("there are no models. Pass the folder of at least one.");
  if (method === "slerp" && models.length !== 2)
    refuse(`slerp needs two models, not ${models.length}. Merge them in turn, or use linear.`);
  if (method !== "linear" && method !== "slerp" && base === undefined)
    refuse(
      `${method} adds differences from a base model. Pass base, the folder of the model before training.`,
    );
  const all = weights ?? models.map(() => 1);
  if (all.length !== models.length) refuse(`there are ${all.length} weights for ${models.length} models.`);
  const total = all.reduce((a, b) => a + b, 0);
  if (![...all, total].every(Number.isFinite))
    refuse(`the weights are ${all.join(", ")}; they and their sum must be finite numbers.`);
  if ((method === "linear" || method === "slerp") && !(total > 0))
    refuse(`the weights are ${all.join(", ")}; their sum must be above 0.`);
  if (!(density > 0 && density <= 1)) refuse(`density is ${density}; it must be above 0 and at most 1.`);
  return { method, weights: all, density, seed } satisfies MergeSettings;
}

/** Refuses models with other tensors, or that compute something else with them. */
function checkAlike(a: MergeSource, b: MergeSource): void {
  const differ = (what: string): never =>
    fail(b.folder, `${what}. Models can be merged only if they have one architecture and vocabulary.`);
  const [own, other] = [a, b].map(architectureOf);
  for (const name of Object.keys({ ...own, ...other })) {
    const [x, y] = [own?.[name], other?.[name]].map((value) => JSON.stringify(value) ?? "missing");
    if (own && other && x !== y) differ(`its ${name} is ${y}, but ${x} in ${a.folder}`);
  }
  for (const [name, shape] of a.shapes) {
    const own = b.shapes.get(name) ?? differ(`it has no tensor "${name}", which ${a.folder} has`);
    if (own.join() !== shape.join())
      differ(`tensor "${name}" has shape [${own.join(", ")}], but [${shape.join(", ")}] in ${a.folder}`);
  }
  for (const name of b.shapes.keys())
    if (!a.shapes.has(name)) differ(`it has a tensor "${name}", which ${a.folder} does not have`);
}

/** What a model computes, besides its weights and its context; undefined for architectures that are merged, but not loaded. */
function architectureOf({ config, folder }: MergeSource): { readonly [name: string]: unknown } | undefined {
  try {
    const { context: _, ...options } = optionsFromConfig(config, join(folder, "config.json"));
    return options;
  } catch (error) {
    if (error instanceof ReinsError) return undefined;
    throw error;
  }
}
