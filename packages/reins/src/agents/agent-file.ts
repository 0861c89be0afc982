import { type EnvSpec, fail, type Snapshot, spaceFault, type Way, type WrittenPolicy } from "@reins/core";
import { readSafetensors, writeSafetensors } from "@reins/nn";
import type { AnyExtent, Tensor } from "@reins/tensor";
import type { KeptWrapper } from "../places/wrappers.ts";
import { fromJson, packed, toJson, unpacked } from "./agent-json.ts";
import { checkSum, checksumOf, sumPlace } from "./checksum.ts";

/** What is kept of training, for whoever goes on with it elsewhere. */
export interface KeptTraining {
  /** The algorithm's options, those left out that are code. */
  readonly options: { readonly [name: string]: unknown };
  /** What it has learned with: weights, optimiser, replay; not where its environments were. */
  readonly parts: { readonly [name: string]: Snapshot };
}

/** All that an agent is: how it acts, on what, and where it comes from. */
export interface AgentContent {
  readonly algorithm: string;
  /** Environment steps that it has learned from. */
  readonly steps: number;
  /** What it was trained on, wrappers left aside. */
  readonly spec: EnvSpec;
  /** The innermost first. */
  readonly wrappers: readonly KeptWrapper[];
  /** Whether actions were forbidden at times where it was trained. */
  readonly masked?: boolean;
  readonly policy: WrittenPolicy;
  readonly training?: KeptTraining;
}

/** The text in a file beside the tensors. */
interface Head extends Omit<AgentContent, "policy" | "training"> {
  readonly format: number;
  readonly ways: { readonly [W in Way]?: AnyExtent };
  readonly training?: unknown;
}

const format = 1;
/** Where the text is in the file's metadata. */
const place = "reins";
/** Where it is in a file that holds only what a run in words has learned. */
export const wordsPlace = "reins-words";

/** The bytes of an agent's file: safetensors, so that its weights can be read by anybody, with all else in the metadata. */
export function writeAgent({ policy, training, ...about }: AgentContent): Uint8Array {
  const tensors = new Map(policy.tensors);
  const kept = training && packed({ ...training }, "training", tensors);
  const head: Head = { format, ...about, ways: policy.ways, ...(kept ? { training: kept } : {}) };
  const text = toJson(head);
  return writeSafetensors(tensors, { [place]: text, [sumPlace]: checksumOf(text, tensors) });
}

/** The agent in a file. Nothing in it is run as code; what is no agent is refused. */
export function readAgent(bytes: Uint8Array, source: string): AgentContent {
  const { tensors, metadata } = readSafetensors(bytes, { source });
  if (metadata[wordsPlace] !== undefined)
    fail(
      source,
      "it holds what a language model learned in a run, and neither the model nor its problems. Name its run: load(run, { best: true }), reins eval RUN --best.",
    );
  const text =
    metadata[place] ??
    fail(
      source,
      "it holds tensors and no agent: agent.save() did not write it. For weights alone, use readSafetensors().",
    );
  const { format: found, ways, training, ...about } = headOf(text, source);
  if (found !== format)
    fail(
      source,
      `it is an agent of format ${found}; this version reads format ${format}. Take a newer Reins.`,
    );
  checkSum(metadata, text, tensors, source);
  for (const part of ["observation", "action"] as const) {
    const fault = spaceFault(about.spec[part]);
    if (fault) fail(source, `it is damaged: its ${part} ${fault}.`);
  }
  const own = [...tensors].filter(([name]) => !name.startsWith("training."));
  return {
    ...about,
    policy: { ways, tensors: new Map<string, Tensor>(own) },
    ...(training ? { training: trainingIn(unpacked(training, tensors)) } : {}),
  };
}

function trainingIn(kept: Snapshot): KeptTraining {
  const { options, parts } = kept as { readonly [name: string]: { readonly [name: string]: Snapshot } };
  return { options, parts };
}

function headOf(text: string, source: string): Head {
  const head = fromJson(text, source) as Head;
  const whole = head?.spec?.observation && head.spec.action && head.ways && Array.isArray(head.wrappers);
  return whole ? head : fail(source, "what it says of its agent is damaged.");
}
