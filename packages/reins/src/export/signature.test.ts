import { box, dict, discrete, type EnvSpec } from "@reins/core";
import { actorCritic } from "@reins/core/policies";
import * as ort from "onnxruntime-web";
import { expect, it } from "vitest";
import { loadAgent } from "../agents/eager.ts";
import { onnxOf } from "./export-onnx.ts";
import { fileOf } from "./testing-export.ts";

ort.env.wasm.numThreads = 1;

it("the signature matches the runtime", async () => {
  const spec: EnvSpec = {
    id: "Lift-v0",
    observation: dict({ floor: discrete(3), waiting: box([3], 0, 1) }),
    action: discrete(3),
  };
  const file = fileOf(spec, actorCritic(spec, { hidden: [8] }));
  const { bytes, inputs, outputs } = await onnxOf(file, { mask: true });
  expect(inputs).toEqual([
    { name: "observation.floor", dtype: "int32", shape: ["rows"] },
    { name: "observation.waiting", dtype: "float32", shape: ["rows", 3] },
    { name: "mask", dtype: "bool", shape: ["rows", 3] },
  ]);
  expect(outputs).toEqual([
    { name: "action", dtype: "int32", shape: ["rows"] },
    { name: "scores", dtype: "float32", shape: ["rows", 3] },
  ]);
  // As in docs/export.md.
  const session = await ort.InferenceSession.create(bytes);
  const { action } = await session.run({
    "observation.floor": new ort.Tensor("int32", Int32Array.of(1), [1]),
    "observation.waiting": new ort.Tensor("float32", Float32Array.of(0, 0, 1), [1, 3]),
    mask: new ort.Tensor("bool", Uint8Array.of(1, 1, 0), [1, 3]),
  });
  const agent = await loadAgent(file);
  expect(action.data[0]).toBe(agent.act({ floor: 1, waiting: [0, 0, 1] }, [1, 1, 0]));
});
