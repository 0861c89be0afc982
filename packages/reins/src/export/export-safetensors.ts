import { writeSafetensors } from "@reins/nn";
import { type Tensor, tensor } from "@reins/tensor";
import { toJson } from "../agents/agent-json.ts";
import { contentFrom, type Exportable } from "./content.ts";

/**
 * Exports the weights of an agent as a safetensors file. Returns its bytes. Names are those of the policy's layers (`actor.layers.0.weight`, with
 * inputs as rows); statistics of observation normalisation are included (`normaliseObservation.mean`).
 */
export async function exportSafetensors(agent: Exportable): Promise<Uint8Array> {
  const { content } = await contentFrom(agent);
  const { policy, wrappers, spec, algorithm, steps } = content;
  const named = [...policy.tensors].flatMap(([name, t]): [string, Tensor][] =>
    name.startsWith("weights") ? [[name.replace(/^weights\.?/, "") || "weights", t]] : [],
  );
  const around = wrappers.flatMap(({ name, statistics }): [string, Tensor][] =>
    statistics
      ? [
          [`${name}.mean`, tensor(Float32Array.from(statistics.mean))],
          [`${name}.variance`, tensor(Float32Array.from(statistics.variance))],
        ]
      : [],
  );
  const about = { env: spec.id, algorithm, steps: String(steps), observation: toJson(spec.observation) };
  return writeSafetensors([...named, ...around], { ...about, action: toJson(spec.action) });
}
