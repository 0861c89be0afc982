import { afterEach, describe, expect, it } from "vitest";
import { chooseRelaxedSimd, isArm, relaxedSimdWorks } from "./engine.ts";

const before = process.env.REINS_RELAXED_SIMD;
const set = (setting: string | undefined) => {
  if (setting === undefined) delete process.env.REINS_RELAXED_SIMD;
  else process.env.REINS_RELAXED_SIMD = setting;
};
afterEach(() => set(before));

describe("chooseRelaxedSimd", () => {
  it("follows the engine by default, and otherwise the option and the environment", () => {
    const byItself = relaxedSimdWorks();
    set(undefined);
    expect(chooseRelaxedSimd(undefined)).toBe(byItself);
    expect(chooseRelaxedSimd(false)).toBe(false);
    set("0");
    expect(chooseRelaxedSimd(true)).toBe(false);
    expect(chooseRelaxedSimd(undefined)).toBe(false);
    expect(relaxedSimdWorks()).toBe(byItself);
    set("1");
    // Sets the flag if the engine needs one; an engine without the flag stays unchanged.
    expect(chooseRelaxedSimd(undefined)).toBe(relaxedSimdWorks());
    expect(chooseRelaxedSimd(false)).toBe(false);
    set(undefined);
    expect(chooseRelaxedSimd(true)).toBe(relaxedSimdWorks());
    // The flag is set now, but this call did not request it.
    expect(chooseRelaxedSimd(undefined)).toBe(byItself);
  });
});

describe("isArm", () => {
  it("detects by a NaN the architecture that Node reports", () => {
    expect(isArm()).toBe(process.arch.startsWith("arm"));
  });
});
