import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  clusterPage,
  clusterPlot,
  clustersOf,
  familiesOf,
  familyPage,
  forestPlot,
  tablePage,
} from "@reins/recipes/book";
import { type Io, print } from "../../terminal/io.ts";
import type { RecipeFlags } from "./flags.ts";
import { readRows } from "./list.ts";

/** `reins recipes table`: writes the overview page, and a page with a plot for each family and cluster. */
export async function table(flags: RecipeFlags, io: Io): Promise<number> {
  const { book, rows } = await readRows({ ...flags, family: undefined });
  const path = join(book, "README.md");
  writeFileSync(path, tablePage(rows));
  const families = familiesOf(rows);
  if (families.length) mkdirSync(join(book, "families"), { recursive: true });
  for (const family of families) {
    const results = rows.flatMap((r) => (r.result && r.system.family[0] === family ? [r.result] : []));
    writeFileSync(join(book, "families", `${family}.md`), familyPage(family, rows));
    writeFileSync(join(book, "families", `${family}.svg`), forestPlot(results));
  }
  const clusters = clustersOf(book).filter(({ members, others = [] }) =>
    rows.some((r) => r.result && [...members, ...others].includes(r.system.id)),
  );
  if (clusters.length) mkdirSync(join(book, "clusters"), { recursive: true });
  for (const cluster of clusters) {
    writeFileSync(join(book, "clusters", `${cluster.name}.md`), clusterPage(cluster, rows));
    if (cluster.members.length > 0)
      writeFileSync(join(book, "clusters", `${cluster.name}.svg`), clusterPlot(cluster, rows));
  }
  print(
    io.out,
    `${path}: ${rows.length} methods, ${families.length} family pages, ${clusters.length} cluster pages`,
  );
  return 0;
}
