import type { Algorithm, LearnsFrom } from "@reins/core";
import { isModulePath } from "./module-path.ts";

/** Resolves an algorithm by name; files are loaded. */
export async function algorithmOf(wanted: string | Algorithm): Promise<string | Algorithm> {
  if (typeof wanted !== "string" || !isModulePath(wanted)) return wanted;
  const { algorithms } = await import("./algorithms.ts");
  if (Object.hasOwn(algorithms, wanted)) return wanted;
  const { algorithmFromModule } = await import("#node");
  return (await algorithmFromModule(wanted)).definition.name;
}

/** What an algorithm learns from; undefined without one, and for unknown names. */
export async function learnsFromOf(
  algorithm: string | Pick<Algorithm, "learnsFrom"> | undefined,
): Promise<LearnsFrom | undefined> {
  if (typeof algorithm !== "string") return algorithm?.learnsFrom;
  const { algorithms } = await import("./algorithms.ts");
  return Object.hasOwn(algorithms, algorithm) ? algorithms[algorithm].definition.learnsFrom : undefined;
}
