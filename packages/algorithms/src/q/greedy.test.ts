import { discrete } from "@reins/core";
import { LiveValue } from "@reins/core/settings";
import { random, type Tensor, tensor, zeros } from "@reins/tensor";
import { expect, it } from "vitest";
import { greedy } from "./greedy.ts";

it("drops a held action that is no longer allowed", () => {
  const epsilon = new LiveValue("epsilon", 1);
  const acting = greedy({ space: discrete(3), values: () => zeros([1, 3]), epsilon, maxRepeat: 8 });
  let state = acting.start!(1);
  for (let t = 0; t < 40; t++) {
    const masks = [true, t % 2 === 1, t % 3 > 0];
    const view = { observation: zeros([1, 1]), mask: tensor([masks]) };
    const acted = acting.act({}, view, state, random.key(t));
    const [action] = (acted.action as Tensor).data;
    expect(masks[action], `step ${t}, action ${action}`).toBe(true);
    state = acted.state!;
  }
});
