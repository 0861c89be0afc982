import { type AlgorithmMaker, define, type OptionTable, type ResolvedOptions } from "@reins/core";
import { type LearningSettings, learning } from "./options.ts";
import { beginPreference, type PreferenceMethod, type PreferenceParts, preferenceParts } from "./parts.ts";

/** A method that learns from compared completions: its own options and its loss. */
export interface PreferenceDefinition<T extends OptionTable> {
  readonly name: string;
  readonly summary: string;
  readonly paper: string;
  /** Options besides those of every such method. */
  readonly options: T;
  /** The loss, and what it needs, from the live settings. */
  method(options: ResolvedOptions<T>): PreferenceMethod;
}

/** Defines a method that learns from recorded, compared completions. */
export const preferenceMethod = <T extends OptionTable>({
  method,
  options,
  ...description
}: PreferenceDefinition<T>): AlgorithmMaker<T & typeof learning, PreferenceParts> =>
  define<T & typeof learning, PreferenceParts>({
    ...description,
    stability: "experimental",
    options: { ...options, ...learning },
    learnsFrom: "comparisons",
    parts: (o, context, name) =>
      preferenceParts(name, o as LearningSettings, context, method(o as ResolvedOptions<T>)),
    begin: beginPreference,
  });
