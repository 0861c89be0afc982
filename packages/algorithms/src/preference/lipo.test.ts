import type { AlgorithmMaker, OptionTable } from "@reins/core";
import { setBackend } from "@reins/tensor";
import { expect, it } from "vitest";
import { rounds } from "../post-training/testing.ts";
import { lipo } from "./lipo.ts";
import { runOf } from "./testing.ts";

setBackend("wasm");

it("refuses scores whose gain would be infinite, before an update", async () => {
  const run = runOf(lipo as unknown as AlgorithmMaker<OptionTable>, {}, { scale: 100 });
  await expect(rounds(run, 5)).rejects.toThrow(
    /^lipo: a completion has the score \d+, whose gain is 2\^\d+\. Scale scores to at most 32/,
  );
});
