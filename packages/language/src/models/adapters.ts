import { fail } from "@reins/core";
import { type AdapterParams, loadSafetensors, saveSafetensors } from "@reins/nn";
import { type Tensor, transpose } from "@reins/tensor";
import { existsSync, join, mkdir, readFile, replaceFile } from "#node";
import { adapterConfigOf, readAdapterConfig, selects, settingsFrom } from "./adapter-config.ts";
import type { LanguageModel } from "./language-model.ts";
import { type LoraModel, withAdapters } from "./lora.ts";
import { adapterOf, adapterParams, type LoraModule, modulesOf } from "./lora-modules.ts";
import { rankOf } from "./lora-options.ts";

const configFile = "adapter_config.json";
const tensorsFile = "adapter_model.safetensors";
/** The name of an adapter's tensor in PEFT's files. */
const factor = (module: string, which: "A" | "B") => `base_model.model.${module}.lora_${which}.weight`;

/** Writes a folder that the PEFT library can load. Adapters from a folder keep its names, shapes and configuration. */
export async function saveAdapters(folder: string, model: LoraModel): Promise<void> {
  const tensors = new Map<string, Tensor>();
  for (const module of modulesOf(model.base)) {
    const adapter = adapterOf(model.params, module);
    if (!adapter) continue;
    tensors.set(factor(module.name, "A"), transpose(adapter.down));
    tensors.set(factor(module.name, "B"), transpose(adapter.up));
  }
  await mkdir(folder, { recursive: true });
  await replaceFile(join(folder, configFile), `${JSON.stringify(adapterConfigOf(model), null, 2)}\n`);
  await saveSafetensors(join(folder, tensorsFile), tensors, { format: "pt" });
}

/** Puts the adapters of a folder that the PEFT library wrote on the model they were made for. Training continues as in PEFT. */
export async function loadAdapters(folder: string, base: LanguageModel): Promise<LoraModel> {
  const [path, file] = [join(folder, configFile), join(folder, tensorsFile)];
  for (const [name, there] of [
    [configFile, existsSync(path)],
    [tensorsFile, existsSync(file)],
  ])
    if (!there) fail(folder, `${name} is missing. Pass a folder of PEFT adapters in safetensors.`);
  const config = readAdapterConfig(await readFile(path, "utf8"), path);
  const settings = settingsFrom(config, base, path);
  const { tensors } = await loadSafetensors(file);
  const left = new Set(tensors.keys());
  const take = (module: LoraModule, which: "A" | "B"): Tensor => {
    const name = factor(module.name, which);
    const found =
      tensors.get(name) ?? fail(file, `tensor "${name}" is missing, but ${configFile} requires it.`);
    left.delete(name);
    const rank = rankOf(settings, module.name);
    const wanted = which === "A" ? [rank, module.inputs] : [module.outputs, rank];
    if (found.shape.join() !== wanted.join())
      fail(
        file,
        `tensor "${name}" has shape [${found.shape.join(", ")}]; the model and ${configFile} need [${wanted.join(", ")}]. Check that the adapters belong to this model.`,
      );
    return transpose(found);
  };
  const adapters = modulesOf(base)
    .filter((module) => selects(config, module))
    .map((module): [LoraModule, AdapterParams] => [
      module,
      { down: take(module, "A"), up: take(module, "B") },
    ]);
  if (left.size)
    fail(
      file,
      `tensor "${[...left][0]}" is not an adapter of a linear module that ${configFile} selects. Only plain LoRA on linear modules of blocks is supported.`,
    );
  return { ...withAdapters(base, settings, adapterParams(base, adapters)), adapterConfig: config };
}
