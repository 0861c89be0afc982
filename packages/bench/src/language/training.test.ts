import { expect, test } from "vitest";
import { differsFromPeer } from "../verify.ts";
import { smallModel } from "./benchmarks.ts";
import { training } from "./training.ts";

/** The first losses of PyTorch 2.13: python3 peers/language.py --small. */
const recorded = [4.1179356575, 4.0308918953, 3.9479291439, 3.8692321777, 3.7946958542];

test("the small training step agrees with PyTorch", () => {
  const { run, loss } = training(smallModel, "reference");
  const losses = recorded.map(() => {
    run();
    return loss();
  });
  expect(differsFromPeer(losses, recorded, 1e-5)).toBeUndefined();
});
