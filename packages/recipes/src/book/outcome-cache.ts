import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { armsOf, type Recipe } from "../recipe.ts";
import { readJson, writeJson } from "./result.ts";
import { rootOf } from "./sources.ts";
import type { Job, StoredOutcome } from "./trial.ts";

/** A cache of outcomes of arms with content, shared with other recipes that have equal arms. */
export class SharedOutcomes {
  private readonly folder: string;
  private readonly recipe: Recipe;
  private readonly code: string;

  constructor(folder: string, recipe: Recipe, file: string) {
    this.folder = folder;
    this.recipe = recipe;
    this.code = packagesDigest(rootOf(file));
  }

  find(job: Job): StoredOutcome | undefined {
    const path = this.pathOf(job);
    const kept = path === undefined ? undefined : readKept(path);
    // Another recipe may need more values than were measured.
    return kept && Object.keys(this.recipe.metrics).every((m) => m in kept.values) ? kept : undefined;
  }

  add(job: Job, outcome: StoredOutcome): void {
    const path = this.pathOf(job);
    // The worst value is that of this recipe's metrics; another recipe may have a different one.
    const isWorst = Object.entries(this.recipe.metrics).some(([m, { worst }]) => outcome.values[m] === worst);
    if (path !== undefined && !isWorst) writeJson(path, outcome);
  }

  private pathOf({ side, seed, replicate, turn, settings, quick }: Job): string | undefined {
    const { content, budget = this.recipe.budget } = armsOf(this.recipe)[side];
    if (content === undefined || quick || turn !== undefined) return undefined;
    const key = JSON.stringify([
      content,
      seed,
      replicate,
      Object.entries(settings).sort(),
      budget.full,
      this.code,
      // Back ends may sum in different orders.
      process.env.REINS_BACKEND ?? "auto",
    ]);
    return join(this.folder, `${createHash("sha256").update(key).digest("hex").slice(0, 24)}.json`);
  }
}

/** An outcome from the cache; a damaged one is run again. */
function readKept(path: string): StoredOutcome | undefined {
  try {
    return readJson<StoredOutcome>(path);
  } catch {
    return undefined;
  }
}

let known: { readonly root: string; readonly digest: string } | undefined;

/** A digest of all built files of the packages: outcomes of other code are not shared. */
function packagesDigest(root: string): string {
  if (known?.root === root) return known.digest;
  const hash = createHash("sha256");
  for (const name of ["algorithms", "core", "envs", "language", "nn", "recipes", "tensor"]) {
    const folder = join(root, "packages", name, "dist");
    if (!existsSync(folder)) continue;
    for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" }).sort())
      if (file.endsWith(".js")) hash.update(`${name}/${file}\0`).update(readFileSync(join(folder, file)));
  }
  known = { root, digest: hash.digest("hex") };
  return known.digest;
}
