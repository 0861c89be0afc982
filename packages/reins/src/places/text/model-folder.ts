import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** Longest `config.json` that is read. */
const most = 2 ** 22;

/** Whether a path is a folder with a Hugging Face model. */
export function isModelFolder(path: string): boolean {
  const file = join(path, "config.json");
  try {
    if (statSync(file).size > most) return false;
    const config = JSON.parse(readFileSync(file, "utf8")) as { readonly model_type?: unknown } | null;
    return typeof config?.model_type === "string";
  } catch {
    return false;
  }
}
