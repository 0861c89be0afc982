import { describe, expect, it } from "vitest";
import { startValue, valueIteration } from "../tabular/index.ts";
import { keyDoorModel } from "./key-door.ts";

describe("a field with a key and a door", () => {
  it("is solved by way of the key", () => {
    const gamma = 0.9;
    const steps = (options: object) =>
      1 +
      Math.log(startValue(keyDoorModel(options), valueIteration(keyDoorModel(options), { gamma }).values)) /
        Math.log(gamma);
    expect(steps({ size: 7 })).toBeCloseTo(12, 3);
    expect(steps({ size: 7, locked: false })).toBeCloseTo(12, 3);
  });

  it("is closed without the key", () => {
    const { transition } = keyDoorModel({ size: 5 });
    // Next to the door, in the last row: without the key the agent stays, with it the agent goes on.
    expect(transition[21][1][0].state).toBe(21);
    expect(transition[21 + 25][1][0].state).toBe(22 + 25);
    // The key lies in the corner.
    expect(transition[15][2][0].state).toBe(20 + 25);
  });

  it("has a screen that shows a random image until the agent moves", () => {
    const { transition, states, actions } = keyDoorModel({ size: 3, locked: false, pictures: 4 });
    expect([states, actions]).toEqual([18 * 5, 5]);
    const shown = transition[4][4];
    expect(shown.map((o) => o.state)).toEqual([22, 40, 58, 76]);
    expect(transition[22][1][0].state).toBe(5);
  });
});
