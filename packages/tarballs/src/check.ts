import { readFileSync } from "node:fs";
import { join } from "node:path";
import { findingsIn } from "./contents.ts";
import type { Tarball } from "./tarball.ts";
import { publintFindings, typesFindings } from "./tools.ts";
import { root } from "./workspace.ts";

/** Checks tarballs; prints a line for each and for each finding. Returns the number of findings. */
export async function check(
  tarballs: readonly Tarball[],
  say: (line: string) => void,
  at = root,
): Promise<number> {
  const license = readFileSync(join(at, "LICENSE"), "utf8");
  const versions = new Set(tarballs.map((t) => t.manifest.version));
  let count = 0;
  for (const tarball of tarballs) {
    const { manifest, files, bytes } = tarball;
    const findings = [
      ...findingsIn(manifest, files, license),
      ...(await publintFindings(tarball)),
      ...(await typesFindings(tarball)),
    ];
    count += findings.length;
    const size = `${files.size} files, ${Math.round(bytes.length / 1024)} KiB`;
    say(`${manifest.name} ${manifest.version}: ${size}, ${findings.length || "no"} findings`);
    for (const finding of findings) say(`  ${finding}`);
  }
  if (versions.size > 1) {
    count++;
    say(`The packages have different versions: ${[...versions].join(", ")}.`);
  }
  return count;
}
