import { leaves, setBackend } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { ddpg } from "./ddpg.ts";
import { td3 } from "./td3.ts";
import { continuousContract, endlessWorth, small } from "./testing-continuous.ts";
import { aim, fingerprint, trained } from "./testing-envs.ts";

// Runs without a compiler; tiny networks would not gain from one.
setBackend("wasm");

const quick = { ...small, tau: 0.05 };

describe("ddpg", () => {
  continuousContract("ddpg", quick);

  it("has one critic, and equals TD3 without its improvements", () => {
    const run = trained({ algorithm: ddpg(quick), env: aim(), steps: 300, seed: 1 });
    const { critics } = run.process.parts.state as { critics: { weights: object } };
    expect(leaves(critics.weights as []).map((t) => t.shape[0])).toEqual([1, 1, 1, 1]);
    const bare = { critics: 1, smoothing: 0, policyEvery: 1, noise: 0.38, correlation: 0.85 };
    const other = trained({ algorithm: td3({ ...quick, ...bare }), env: aim(), steps: 300, seed: 1 });
    expect(fingerprint(other)).toEqual(fingerprint(run));
  });

  it("bootstraps from truncated episodes", () => {
    expect(endlessWorth("ddpg", quick)).toBeCloseTo(2, 1);
  });
});
