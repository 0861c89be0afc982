import { tensor } from "@reins/tensor";
import { expect, it } from "vitest";
import { entropyAdvantage } from "./entropy-advantage.ts";
import { expectNear } from "./testing.ts";

it("adds the entropy bonus, and never more than half of the advantage", () => {
  const look = entropyAdvantage({ weight: 0.5, most: 2 });
  const entropy = tensor([0, 1, 4, 1, 4, 4]);
  const advantage = tensor([2, 2, 2, -2, -2, 0]);
  const seen = look({ logProb: entropy, entropy }, { advantage });
  expectNear([...(seen.advantage as typeof advantage).data], [2, 2.5, 3, -1.5, -1, 0]);
  expect(Object.keys(seen)).toEqual(["advantage"]);
});
