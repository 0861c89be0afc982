import { expect, it } from "vitest";
import { workerFlags } from "./node-flags.ts";

it("workers have the flags of this process, but not its code, its inspector and its sources", () => {
  const given = [
    "--conditions",
    "source",
    "--max-old-space-size=512",
    "--inspect=9229",
    "--conditions",
    "other",
  ];
  expect(workerFlags(given)).toEqual(["--max-old-space-size=512", "--conditions", "other"]);
  expect(workerFlags(["--conditions=source", "--input-type=module", "-e", "1 + 1", "--expose-gc"])).toEqual([
    "--expose-gc",
  ]);
});
