import { define, Run } from "@reins/core";
import { episodic, onPolicy, onPolicyWindow } from "@reins/core/loops";
import * as losses from "@reins/core/losses";
import * as targets from "@reins/core/targets";
import { setBackend } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { dapo } from "./dapo.ts";
import { groupParts, grpo } from "./grpo.ts";
import { ppo, ppoLoss, ppoParts } from "./ppo.ts";
import { corridor, fingerprint } from "./testing-envs.ts";

setBackend("wasm");

const after = (algorithm: ReturnType<typeof ppo>) => {
  const run = new Run({ algorithm, env: corridor(), steps: 200, seed: 5 });
  run.advance();
  return fingerprint(run);
};
const size = { groups: 2, groupSize: 4, hidden: [8], epochs: 2 };
const small = { envs: 2, steps: 8, minibatches: 2, hidden: [8] };

describe("a variant that replaces a part equals the method written out with that part", () => {
  it("of GRPO, in a loss that reads an option", () => {
    const loss = (o: Parameters<typeof groupParts>[1]) =>
      losses.policyGradient({ ratio: losses.balanced({ share: 0.5 }), clip: o.clip });
    const short = grpo.with("short", { parts: (_, o) => ({ loss: loss(o) }) });
    const long = define({
      ...grpo.definition,
      name: "short",
      start: (o, context) => episodic({ ...groupParts("short", o, context), loss: loss(o) }, context),
    });
    expect(after(short(size))).toEqual(after(long(size)));
    expect(after(short(size))).not.toEqual(after(grpo(size)));
  });

  it("of GRPO, in its loop: the reference policy is one of its parts", () => {
    const looped = grpo.with("looped", { begin: (parts, context) => episodic(parts, context) });
    expect(after(looped({ ...size, klWeight: 0.1 }))).toEqual(after(grpo({ ...size, klWeight: 0.1 })));
    expect(after(looped({ ...size, klWeight: 0.1 }))).not.toEqual(after(grpo(size)));
  });

  it("of GRPO, in a target given by value, and of one of its variants", () => {
    const target = (batch: Parameters<typeof targets.groupsOf>[0], rewards: Float64Array) => ({
      advantage: targets.spread(rewards, batch),
    });
    const [one, other] = [grpo, dapo].map((maker) => maker.with("raw", { target }));
    expect(after(one(size))).not.toEqual(after(grpo(size)));
    expect(after(other({ ...size, clipHigh: 0, filter: "none" }))).toEqual(after(one(size)));
  });

  it("of PPO, in its loss", () => {
    const loss = (o: Parameters<typeof ppoParts>[0]) =>
      ppoLoss(o, losses.dropOutliers(0.25, losses.clipped(o.clip)));
    const short = ppo.with("dropping", { parts: (_, o) => ({ loss: loss(o) }) });
    const long = define({
      ...ppo.definition,
      name: "dropping",
      start: (o, context) => onPolicy({ ...ppoParts(o, context), loss: loss(o) }, context),
    });
    expect(after(short(small))).toEqual(after(long(small)));
    expect(short.definition.learnsFrom).toBe("steps");
  });

  it("of PPO, in the loop that runs its parts", () => {
    const windows = { every: 1, window: 2 };
    const short = ppo.with("windowed", {
      begin: (parts, context) => onPolicyWindow({ ...parts, ...windows }, context),
    });
    const long = define({
      ...ppo.definition,
      name: "windowed",
      start: (o, context) => onPolicyWindow({ ...ppoParts(o, context), ...windows }, context),
    });
    expect(after(short(small))).toEqual(after(long(small)));
    expect(after(short(small))).not.toEqual(after(ppo(small)));
  });
});
