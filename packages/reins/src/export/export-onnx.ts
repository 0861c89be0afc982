import { checkKeys } from "@reins/core/errors";
import { toJson } from "../agents/agent-json.ts";
import { contentFrom, type Exportable } from "./content.ts";
import { writeModel } from "./onnx/model.ts";
import { type Signature, signatureOf } from "./onnx/signature.ts";
import { scoresOf } from "./scores.ts";
import { startOf } from "./start.ts";
import { type ExportOptions, programOf } from "./trace.ts";

/**
 * Exports an agent as an ONNX model (opset 17). Returns its bytes.
 *
 *     await writeFile("policy.onnx", await exportOnnx(agent));
 *
 * Inputs are `observation` (parts of dictionaries and tuples by path: `observation.position`) with a batch axis first; `mask` with
 * `mask: true`; and `state.…` for a recurrent agent, which starts as zeros. Outputs are the greedy `action`; `scores`, for discrete choices,
 * the values that the action maximises; and `next.…`, the next state. Wrappers such as `normaliseObservation` are part of the model.
 */
export async function exportOnnx(agent: Exportable, options: ExportOptions = {}): Promise<Uint8Array> {
  return (await onnxOf(agent, options)).bytes;
}

/** The model with its signature. */
export async function onnxOf(
  agent: Exportable,
  options: ExportOptions = {},
): Promise<Signature & { readonly bytes: Uint8Array }> {
  checkKeys("exportOnnx", options, ["mask"]);
  const { content, source } = await contentFrom(agent);
  const program = programOf(content, source, options);
  const { spec, algorithm, steps } = content;
  const start = startOf(content, program);
  const about = {
    env: spec.id,
    algorithm,
    steps: String(steps),
    observation: toJson(spec.observation),
    action: toJson(spec.action),
    ...(start.some(({ values }) => values.some((v) => v !== 0)) ? { start: toJson(start) } : {}),
  };
  const whole = { ...program, outputs: [...program.outputs, ...scoresOf(program)] };
  return { bytes: writeModel(whole, about, source), ...signatureOf(whole) };
}
