import { type Gpt, type GptOptions, type GptParams, gpt } from "@reins/nn";
import type { HubConfig } from "./hub-config.ts";

/** A decoder with its parameters. */
export interface LanguageModel {
  readonly options: GptOptions;
  readonly model: Gpt;
  readonly params: GptParams;
  /** Its `config.json`, if it was loaded from a folder. */
  readonly config?: HubConfig;
  /** The Hugging Face folder that it was loaded from. */
  readonly folder?: string;
}

/** A model of the given shape, with fresh parameters. */
export function newModel(options: GptOptions, key: Parameters<Gpt["init"]>[0]): LanguageModel {
  const model = gpt(options);
  return { options, model, params: model.init(key) };
}
