import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import type { Tarball } from "./tarball.ts";

/** What publint says of a package, suggestions too. */
export async function publintFindings({ bytes }: Tarball): Promise<string[]> {
  const { messages, pkg } = await publint({ pack: { tarball: bytes.slice().buffer }, strict: true });
  return messages.map((m) => `publint: ${formatMessage(m, pkg, { color: false }) ?? m.code}`);
}

/** Who resolves a package in a way that modules do not promise: `require`, and TypeScript before `exports`. */
const unpromised = new Set(["node10", "node16-cjs"]);

/** What "Are the types wrong?" says of a package, for modules in Node and for bundlers. */
export async function typesFindings({ bytes }: Tarball): Promise<string[]> {
  const result = await checkPackage(createPackageFromTarballData(bytes));
  if (!result.types) return ["attw: there are no types."];
  return result.problems
    .filter((p) => !("resolutionKind" in p && unpromised.has(p.resolutionKind)))
    .filter((p) => !("resolutionOption" in p && unpromised.has(p.resolutionOption)))
    .map((p) => {
      const where = "entrypoint" in p ? ` at ${p.entrypoint} (${p.resolutionKind})` : "";
      return `attw: ${p.kind}${where}.`;
    });
}
