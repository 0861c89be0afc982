import { type EnvSpec, fail, type Snapshot } from "@reins/core";
import type { ActVariant, ExportedPolicy } from "@reins/core/policies";
import { spaceFault } from "@reins/core/spaces";
import { readSafetensors, writeSafetensors } from "@reins/nn";
import type { BatchFunctionData, Tensor } from "@reins/tensor";
import type { WrapperState } from "../places/wrappers.ts";
import { fromJson, packed, toJson, unpacked } from "./agent-json.ts";
import { checkSum, checksumOf, sumPlace } from "./checksum.ts";

/** Training state of an agent, for training that starts from it. */
export interface TrainingState {
  /** Options of the algorithm, without those that are code. */
  readonly options: { readonly [name: string]: unknown };
  /** Weights, optimiser state and replay buffer, without the state of the environments. */
  readonly parts: { readonly [name: string]: Snapshot };
}

/** Content of an agent file: policy, spaces, wrappers and origin. */
export interface AgentContent {
  readonly algorithm: string;
  /** Environment steps of its training. */
  readonly steps: number;
  /** The training environment without wrappers. */
  readonly spec: EnvSpec;
  /** Wrappers, innermost first. */
  readonly wrappers: readonly WrapperState[];
  /** Whether the training environment masks actions. */
  readonly masked?: boolean;
  readonly policy: ExportedPolicy;
  readonly training?: TrainingState;
}

/** The JSON text in a file, beside the tensors. */
interface Head extends Omit<AgentContent, "policy" | "training"> {
  readonly format: number;
  readonly ways: { readonly [W in ActVariant]?: BatchFunctionData };
  readonly training?: unknown;
}

const format = 1;
/** Metadata key of the JSON text. */
const place = "reins";
/** Metadata key of the JSON text in a file of trained language model weights. */
export const languageKey = "reins-words";

/** Encodes an agent as safetensors, so that other tools can read its weights; everything else is in the metadata. */
export function writeAgent({ policy, training, ...about }: AgentContent): Uint8Array {
  const tensors = new Map(policy.tensors);
  const kept = training && packed({ ...training }, "training", tensors);
  const head: Head = { format, ...about, ways: policy.ways, ...(kept ? { training: kept } : {}) };
  const text = toJson(head);
  return writeSafetensors(tensors, { [place]: text, [sumPlace]: checksumOf(text, tensors) });
}

/** Reads an agent from a file. Nothing in the file is run as code. */
export function readAgent(bytes: Uint8Array, source: string): AgentContent {
  const { tensors, metadata } = readSafetensors(bytes, { source });
  if (metadata[languageKey] !== undefined)
    fail(
      source,
      "this file holds only the weights that a language run trained, without the model and its problems. Name the run: load(run, { best: true }), reins eval RUN --best.",
    );
  const text =
    metadata[place] ??
    fail(
      source,
      "this safetensors file was not written by agent.save(). To read plain weights, use readSafetensors().",
    );
  const { format: found, ways, training, ...about } = headOf(text, source);
  if (found !== format)
    fail(source, `agent of format ${found}; this version reads format ${format}. Install a newer Reins.`);
  checkSum(metadata, text, tensors, source);
  for (const part of ["observation", "action"] as const) {
    const fault = spaceFault(about.spec[part]);
    if (fault) fail(source, `the file is damaged: its ${part} ${fault}.`);
  }
  const own = [...tensors].filter(([name]) => !name.startsWith("training."));
  return {
    ...about,
    policy: { ways, tensors: new Map<string, Tensor>(own) },
    ...(training ? { training: trainingIn(unpacked(training, tensors)) } : {}),
  };
}

function trainingIn(kept: Snapshot): TrainingState {
  const { options, parts } = kept as { readonly [name: string]: { readonly [name: string]: Snapshot } };
  return { options, parts };
}

function headOf(text: string, source: string): Head {
  const head = fromJson(text, source) as Head;
  const whole = head?.spec?.observation && head.spec.action && head.ways && Array.isArray(head.wrappers);
  return whole
    ? head
    : fail(source, "the agent's description in the file is damaged. Copy or download it again.");
}
