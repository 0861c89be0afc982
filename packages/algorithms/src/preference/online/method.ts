import {
  type AlgorithmContext,
  type AlgorithmMaker,
  define,
  type OptionTable,
  type ResolvedOptions,
  type Started,
} from "@reins/core";
import { type EpisodicParts, episodic } from "@reins/core/loops";
import { type OnlineSettings, onlineLearning } from "./options.ts";
import { type OnlineMethod, onlineParts } from "./parts.ts";

/** A method that learns from comparisons of the policy's own completions: its own options and its loss. */
export interface OnlineDefinition<T extends OptionTable> {
  readonly name: string;
  readonly summary: string;
  readonly paper: string;
  /** Options besides those of every such method. */
  readonly options: T;
  /** The loss, and what it needs, from the live settings. */
  method(options: ResolvedOptions<T>): OnlineMethod;
  /** The loop (default: sample, compare, update). */
  begin?(parts: EpisodicParts, context: AlgorithmContext): Started;
}

/** Defines a method that samples completions, has them compared, and learns from the pairs. */
export const onlinePreferenceMethod = <T extends OptionTable>({
  method,
  options,
  begin = episodic,
  ...description
}: OnlineDefinition<T>): AlgorithmMaker<T & typeof onlineLearning, EpisodicParts> =>
  define<T & typeof onlineLearning, EpisodicParts>({
    ...description,
    stability: "experimental",
    options: { ...onlineLearning, ...options },
    learnsFrom: "episodes",
    parts: (o, context, name) =>
      onlineParts(name, o as OnlineSettings, context, method(o as ResolvedOptions<T>)),
    begin,
  });
