import {
  findBook,
  type RecipeVerification,
  Stopped,
  storeVerification,
  verify as verifyOne,
} from "@reins/recipes/book";
import { listenForInterrupt } from "../../cli/interrupt.ts";
import { type Io, print } from "../../terminal/io.ts";
import type { RecipeFlags } from "./flags.ts";
import { readRows } from "./list.ts";

/** `reins recipes verify`; exit code 1 if results changed. */
export async function verify(given: readonly string[], flags: RecipeFlags, io: Io): Promise<number> {
  const book = findBook(flags.book);
  const { rows } = await readRows(flags);
  const ids = given.length ? given : rows.filter((r) => r.result).map((r) => r.system.id);
  const interrupt = listenForInterrupt();
  const all: RecipeVerification[] = [];
  let failed = 0;
  try {
    for (const id of ids) {
      const stop = () => interrupt.code !== undefined;
      const found = await verifyOne(book, id, { jobs: flags.jobs, stop }).catch((error: Error) => {
        if (error instanceof Stopped) throw error;
        // A failure does not stop the verification of the others.
        print(io.err, `${id}: verification failed. ${error.message}`);
        return "failed" as const;
      });
      if (found === "failed") {
        failed++;
        continue;
      }
      if (!found) {
        print(io.err, `${id}: no result yet. Run: reins recipes run ${id}`);
        continue;
      }
      await storeVerification(book, found);
      all.push(found);
      if (!flags.json) print(io.out, ...lines(found));
    }
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    return interrupt.code ?? 1;
  } finally {
    interrupt.off();
  }
  const of = (how: RecipeVerification["how"]) => all.filter((v) => v.how === how);
  if (flags.json) print(io.out, JSON.stringify(all));
  else {
    const [same, near, moved] = [of("bits"), of("predicted"), of("moved")];
    const also = near.length ? `, ${near.length} within the prediction interval` : "";
    const changed = moved.length ? `; changed: ${moved.map((v) => v.id).join(", ")}` : "";
    print(
      io.out,
      `${same.length} of ${all.length + failed} reproduce the recorded numbers bit for bit${also}${changed}.`,
    );
  }
  return of("moved").length || failed ? 1 : 0;
}

const labels = { bits: "identical", predicted: "within the prediction interval", moved: "changed" };

const lines = ({ id, how, differs, changed }: RecipeVerification): string[] => [
  `${id}: ${labels[how]}`,
  ...(changed ? [`  the recipe differs from the measured one in ${changed.join(", ")}`] : []),
  ...differs
    .slice(0, 6)
    .map((c) => `  ${c.side}, ${c.replicate}, ${c.value}: recorded ${c.recorded}, now ${c.now}`),
  ...(differs.length > 6 ? [`  and ${differs.length - 6} more`] : []),
];
