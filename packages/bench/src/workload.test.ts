import { expect, test } from "vitest";
import { sizes } from "./benchmarks.ts";
import { differsFromPeer } from "./verify.ts";
import { workload } from "./workload.ts";

/** The first values of PyTorch 2.13: python3 peers/torch.py --small. */
const recorded: Record<string, number[]> = {
  "forward-64-b1": [0.4134353995, 0.129958123],
  "adam-64-b256": [0.4233827591, 0.3979717791, 0.377255708, 0.3608851433, 0.3483532369],
  "adam-256-b256": [0.3515226543, 0.2791653872],
  "matmul-1024": [5.5736951828, -0.3471756876, -7.2645945549, 2.8552639484],
  "gpt-4x128": [3.9959361553, 3.8845441341, 3.7827675343],
};

test.each(Object.keys(recorded))("%s agrees with PyTorch", (name) => {
  const { run, observe } = workload(name, sizes[name].small, { backend: "reference" });
  const values: number[] = [];
  while (values.length < recorded[name].length) {
    run();
    values.push(...observe());
  }
  expect(differsFromPeer(values, recorded[name], 1e-5)).toBeUndefined();
});

test("wrong, missing and NaN values are reported", () => {
  expect(differsFromPeer([1, 2.1], [1, 2], 1e-3)).toBe("value 1 is 2.1, but 2 on the peer");
  expect(differsFromPeer([1], [1, 2], 1e-3)).toMatch("value 1");
  expect(differsFromPeer([Number.NaN], [1], 1e-3)).toMatch("NaN");
  expect(differsFromPeer([5000.1], [5000], 1e-3)).toBeUndefined();
});
