import { checkKeys } from "@reins/core";
import { toJson } from "../agents/agent-json.ts";
import { contentFrom, type Exportable } from "./content.ts";
import { writeModel } from "./onnx/model.ts";
import { type Signature, signatureOf } from "./onnx/signature.ts";
import { scoresOf } from "./scores.ts";
import { startOf } from "./start.ts";
import { type ExportOptions, programOf } from "./trace.ts";

/**
 * An agent as an ONNX model (opset 17), for runtimes in any language: its bytes.
 *
 *     await writeFile("policy.onnx", await exportOnnx(agent));
 *
 * Inputs are `observation` (parts of dictionaries and tuples by their paths, `observation.position`) with rows first, as many as there are;
 * with `mask: true` also `mask`; of an agent with memory `state.…`, which begins as zeros. Outputs are `action`, the best one; `scores`,
 * where it is a choice, what it was chosen by; and `next.…`, the state of the next step. What the agent was trained in, such as
 * `normaliseObservation`, is part of the model.
 */
export async function exportOnnx(agent: Exportable, options: ExportOptions = {}): Promise<Uint8Array> {
  return (await onnxOf(agent, options)).bytes;
}

/** The same, with what the model takes and gives. */
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
