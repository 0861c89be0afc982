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

/** What an algorithm learns from, and what it trains. */
export type LearnerKind = Pick<Algorithm, "learnsFrom" | "trains">;

/** What an algorithm learns from and trains; empty without one, and for unknown names. */
export async function learnerKindOf(algorithm: string | LearnerKind | undefined): Promise<LearnerKind> {
  if (typeof algorithm !== "string") return algorithm ?? {};
  const { algorithms } = await import("./algorithms.ts");
  return Object.hasOwn(algorithms, algorithm) ? algorithms[algorithm].definition : {};
}
