import { fail } from "@reins/core";
import { fillTree, flattenNames, loadSafetensors, saveSafetensors } from "@reins/nn";
import { random } from "@reins/tensor";
import { existsSync, join, readFile, replaceFile } from "#node";
import type { LanguageModel } from "./language-model.ts";
import { type ImageModel, type ImageParams, type PatchOptions, withPatches } from "./patches.ts";

const settingsFile = "patches.json";
const tensorsFile = "patches.safetensors";

/** Writes the image encoder of a model into its folder. */
export async function savePatches(
  folder: string,
  how: PatchOptions,
  patches: ImageParams["patches"],
): Promise<void> {
  await replaceFile(join(folder, settingsFile), `${JSON.stringify(how, null, 2)}\n`);
  await saveSafetensors(join(folder, tensorsFile), flattenNames(patches));
}

/**
 * A model with the image encoder that `saveModel` wrote to a folder: `loadPatches(folder, await loadModel(folder))`.
 */
export async function loadPatches(folder: string, start: LanguageModel): Promise<ImageModel> {
  const [settings, file] = [join(folder, settingsFile), join(folder, tensorsFile)];
  if (!existsSync(settings) || !existsSync(file))
    fail(folder, `${settingsFile} or ${tensorsFile} is missing. The model there has no image encoder.`);
  const made = withPatches(
    start,
    JSON.parse(await readFile(settings, "utf8")) as PatchOptions,
    random.key(0),
  );
  const { tensors } = await loadSafetensors(file);
  const patches = fillTree(made.params.patches, tensors, file);
  return { ...made, params: { ...made.params, patches } };
}
