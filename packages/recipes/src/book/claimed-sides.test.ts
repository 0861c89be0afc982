import { expect, it } from "vitest";
import { named } from "./claimed-sides.ts";
import { arm, example } from "./testing.ts";

const plain = (name: string) => arm(name, () => ({ score: 0 }));

it("names the arms of contrasts and of preconditions, which run for every replicate", () => {
  const made = example({
    baselines: [plain("plain"), plain("other")],
    ablations: [plain("before"), plain("after"), plain("spare")],
    claims: [
      {
        metric: "score",
        contrast: ["new", "plain"],
        smallest: 1,
        because: "it counts",
        presupposes: { metric: "score", side: "before", over: "after", least: 0.1, because: "it falls" },
      },
    ],
  });
  const sides = ["new", "plain", "other", "before", "after", "spare"];
  expect(sides.filter((_, side) => named(made, side))).toEqual(["new", "plain", "before", "after"]);
});
