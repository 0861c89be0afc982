import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import type { Tarball } from "./tarball.ts";

/** Publint's messages about a package, including suggestions. */
export async function publintFindings({ bytes }: Tarball): Promise<string[]> {
  const { messages, pkg } = await publint({ pack: { tarball: bytes.slice().buffer }, strict: true });
  return messages.map((m) => `publint: ${formatMessage(m, pkg, { color: false }) ?? m.code}`);
}

/** Resolution modes that are not supported: `require`, and TypeScript before `exports`. */
const unpromised = new Set(["node10", "node16-cjs"]);

/** Problems that "Are the types wrong?" reports for modules in Node and for bundlers. */
export async function typesFindings({ bytes }: Tarball): Promise<string[]> {
  const result = await checkPackage(createPackageFromTarballData(bytes));
  if (!result.types) return ["attw: the package has no types."];
  return result.problems
    .filter((p) => !("resolutionKind" in p && unpromised.has(p.resolutionKind)))
    .filter((p) => !("resolutionOption" in p && unpromised.has(p.resolutionOption)))
    .map((p) => {
      const where = "entrypoint" in p ? ` at ${p.entrypoint} (${p.resolutionKind})` : "";
      return `attw: ${p.kind}${where}.`;
    });
}
