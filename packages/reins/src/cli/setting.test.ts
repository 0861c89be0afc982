import { signalForms } from "@reins/core/settings";
import * as signals from "@reins/core/signals";
import { describe, expect, it } from "vitest";
import { parseSetting } from "./setting.ts";
import { showSetting } from "./show-setting.ts";

const { cosine, exponential, linear, pi, piecewise, warmup } = signals;
/** Without the fields that a maker leaves undefined. */
const plain = (x: unknown) => JSON.parse(JSON.stringify(x));

describe("settings on a command line", () => {
  it.each([
    ["3e-4", 3e-4],
    ["-1", -1],
    ["linear(0.2, 0)", linear(0.2, 0)],
    ["linear(from=1, to=0.1, over=0.5)", linear(1, 0.1, 0.5)],
    [" cosine( 1e-3,0 , 0.8 ) ", cosine(1e-3, 0, 0.8)],
    ["exponential(1, 0.01)", exponential(1, 0.01)],
    ["piecewise(0:1, 0.5:0.1, 1:0)", piecewise([0, 1], [0.5, 0.1], [1, 0])],
    ["piecewise([0, 1], [1, 0])", piecewise([0, 1], [1, 0])],
    ["warmup(0.1, cosine(3e-4, 0))", warmup(0.1, cosine(3e-4, 0))],
    [
      "pi(of=policy/kl, target=0.01, initial=0.2, gain=5, log=true, min=0.01)",
      pi({ of: "policy/kl", target: 0.01, initial: 0.2, gain: 5, integral: 0, log: true, min: 0.01 }),
    ],
  ])("%s", (text, expected) => {
    expect(plain(parseSetting(text))).toEqual(plain(expected));
  });

  it.each(Object.entries(signalForms))("%s is shown as it is typed", (_, { sample }) => {
    const made = parseSetting(sample);
    expect(parseSetting(showSetting(made))).toEqual(made);
  });

  it.each([
    ["fast", '"fast" is neither a number nor a signal'],
    ["linaer(1, 0)", "there is no signal linaer. Did you mean linear?"],
    ["linear(1)", "linear needs to: linear(0.2, 0)."],
    ["linear(1, 0, 0.5, 7)", "linear takes from, to, over"],
    ["linear(1, 0", 'expected "," or ")", found the end'],
    ["linear(1, 0) 3", 'expected the end, found "3"'],
    ["linear(1, slow)", 'linear: to cannot be "slow"'],
    ["pi(0.01)", "pi takes named arguments: pi(of=policy/kl"],
    ["pi(of=policy/kl, traget=1, initial=1, gain=1)", "pi has no traget. Did you mean target?"],
    ["pi(of=policy/kl, target=1)", "pi needs initial and gain"],
    ["piecewise(1, 2)", "piecewise takes points"],
  ])("rejects %s", (text, message) => {
    expect(() => parseSetting(text, "--clip")).toThrow(message);
    expect(() => parseSetting(text, "--clip")).toThrow(/^--clip: /);
  });

  it("formats values as flags", () => {
    expect(showSetting([64, 64])).toBe("64,64");
    expect(showSetting([])).toBe("[]");
    expect(showSetting("tanh")).toBe("tanh");
    expect(showSetting(2.5e-4)).toBe("0.00025");
  });
});
