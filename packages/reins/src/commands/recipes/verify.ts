import { findBook, keepVerified, type Verified, verify as verifyOne } from "@reins/recipes/book";
import { listenForInterrupt } from "../../cli/interrupt.ts";
import { type Io, print } from "../../terminal/io.ts";
import type { RecipeFlags } from "./flags.ts";
import { readRows } from "./list.ts";

/** `reins recipes verify` */
export async function verify(given: readonly string[], flags: RecipeFlags, io: Io): Promise<number> {
  const book = findBook(flags.book);
  const { rows } = await readRows(flags);
  const ids = given.length ? given : rows.filter((r) => r.result).map((r) => r.system.id);
  const interrupt = listenForInterrupt();
  const all: Verified[] = [];
  try {
    for (const id of ids) {
      const found = await verifyOne(book, id, { jobs: flags.jobs, stop: () => interrupt.code !== undefined });
      if (interrupt.code !== undefined) return interrupt.code;
      if (!found) {
        print(io.err, `${id}: nothing is recorded yet. reins recipes run ${id} measures it.`);
        continue;
      }
      keepVerified(book, found);
      all.push(found);
      if (!flags.json) print(io.out, ...lines(found));
    }
  } finally {
    interrupt.off();
  }
  const moved = all.filter((v) => v.moved);
  if (flags.json) print(io.out, JSON.stringify(all));
  else
    print(
      io.out,
      `${all.length - moved.length} of ${all.length} give the recorded numbers to the last bit${moved.length ? `; moved: ${moved.map((v) => v.id).join(", ")}` : ""}.`,
    );
  return 0;
}

const lines = ({ id, moved, checks }: Verified): string[] => [
  `${id}: ${moved ? "moved" : "the same"}`,
  ...(moved
    ? checks.map((c) => `  ${c.side}, seed ${c.seed}: ${c.recorded} was recorded, now ${c.now}`)
    : []),
];
