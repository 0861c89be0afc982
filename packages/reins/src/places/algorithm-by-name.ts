import type { Algorithm } from "@reins/core";
import { isModulePath } from "./module-path.ts";

/** Resolves an algorithm by name; files are loaded. */
export async function algorithmOf(wanted: string | Algorithm): Promise<string | Algorithm> {
  if (typeof wanted !== "string" || !isModulePath(wanted)) return wanted;
  const { algorithms } = await import("./algorithms.ts");
  if (Object.hasOwn(algorithms, wanted)) return wanted;
  const { algorithmFromModule } = await import("#node");
  return (await algorithmFromModule(wanted)).definition.name;
}
