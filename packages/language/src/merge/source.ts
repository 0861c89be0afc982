import { fail } from "@reins/core";
import { type DeferredTensor, materialise } from "@reins/nn";
import type { Tensor } from "@reins/tensor";
import { existsSync, join, readFile } from "#node";
import { loadAdapters } from "../models/adapters.ts";
import { loadModel, openWeights } from "../models/folder.ts";
import type { HubConfig } from "../models/hub-config.ts";
import { readConfig, writtenModel } from "../models/model-files.ts";

/** The weights of a model, read one tensor at a time. */
export interface MergeSource {
  readonly folder: string;
  readonly config: HubConfig;
  readonly shapes: ReadonlyMap<string, readonly number[]>;
  tensor(name: string): Promise<Tensor>;
  close(): Promise<void>;
}

/** Opens a model folder, or adapters, which are added to the weights of `base`. */
export async function openSource(folder: string, base?: string): Promise<MergeSource> {
  if (existsSync(join(folder, "adapter_config.json"))) return withAdapters(folder, base);
  const path = join(folder, "config.json");
  if (!existsSync(path))
    fail(
      folder,
      "config.json and adapter_config.json are missing. Pass the folder of a model or of adapters.",
    );
  const config = readConfig(await readFile(path, "utf8"), path);
  const { files } = await openWeights(folder);
  const shapes = new Map([...files.entries].map(([name, { shape }]) => [name, shape]));
  return { folder, config, shapes, tensor: (name) => files.tensor(name), close: () => files.close() };
}

async function withAdapters(folder: string, base: string | undefined): Promise<MergeSource> {
  if (base === undefined)
    fail(folder, "it has adapters. Pass base, the folder of the model they were made for.");
  const { config, tensors } = writtenModel(await loadAdapters(folder, await loadModel(base as string)));
  return {
    folder,
    config,
    shapes: new Map([...tensors].map(([name, { shape }]) => [name, shape])),
    tensor: async (name) => materialise(tensors.get(name) as Tensor | DeferredTensor),
    close: async () => {},
  };
}
