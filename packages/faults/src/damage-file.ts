import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import { filesIn } from "./compare.ts";
import { mutations } from "./mutations.ts";
import type { Random } from "./random.ts";

/** Damages one file; every kind of file is equally likely. */
export function damageFile(folder: string, donor: string, about: RegExp, random: Random) {
  const names = filesIn(folder)
    .map((path) => relative(folder, path))
    .filter((name) => about.test(name));
  const kindOf = (name: string) => name.replace(/\d+/g, "N");
  const kinds = [...new Set(names.map(kindOf))];
  for (;;) {
    const kind = random.of(kinds);
    const name = random.of(names.filter((n) => kindOf(n) === kind));
    const mutation = random.of(mutations);
    const how = mutation.apply(join(folder, name), random, donorOf(donor, name));
    if (how) return { name, how, coarse: mutation.coarse };
  }
}

/** The same file of another run; checkpoints and events have numbers in their names, so the nearest is used. */
function donorOf(donor: string, name: string): string | undefined {
  const exact = join(donor, name);
  if (existsSync(exact)) return exact;
  const like = name.replace(/\d+/g, "N");
  return filesIn(donor).find((path) => relative(donor, path).replace(/\d+/g, "N") === like);
}
