import { readFileSync } from "node:fs";
import { digestsOf, lots } from "../../tensor/dist/testing/digests.js";
import type { Section } from "./section.ts";

const file = new URL("../../tensor/fixtures/bits.json", import.meta.url);

/** Values and gradients of every primitive, whose bits are known. */
export const fixtures: Section = {
  name: "fixtures",
  *rows() {
    const want = JSON.parse(readFileSync(file, "utf8")) as Record<string, string>;
    for (const [i, lot] of lots.entries()) {
      const got = digestsOf(lot, "cuda");
      const bad = lot.filter(({ name }) => got[name] !== want[name]).map(({ name }) => name);
      yield {
        what: `fixtures, lot ${i}`,
        result: bad.length ? `differs: ${bad.join("; ")}` : `${lot.length} programs have the known bits`,
        failed: bad.length > 0,
      };
    }
  },
};
