import { byteNames } from "./spelling.ts";

/** A normalizer or pre-tokenizer of a tokenizer.json. */
interface Step {
  readonly type: string;
  readonly normalizers?: readonly Step[];
  readonly pretokenizers?: readonly Step[];
  readonly pattern?: { readonly String?: string };
  readonly content?: string;
}

/** The parts of a tokenizer.json and its configuration that change texts before tokenization. */
interface Parts {
  readonly normalizer?: Step | null;
  readonly pre_tokenizer?: Step | null;
  readonly added_tokens?: readonly { readonly lstrip?: boolean; readonly rstrip?: boolean }[];
  readonly model?: { readonly byte_fallback?: boolean; readonly vocab?: object };
}

/**
 * Maximum ratio by which Unicode normalisation shortens a text: four-byte mathematical letters become ASCII letters.
 */
const unicodeForms = 4;

/**
 * The maximum ratio, in bytes, by which a text shrinks before tokenization; undefined where there is no bound,
 * because blanks or characters may be dropped. Only byte-level tokenizers have one.
 */
export function shrinkage(json: object, config: object): number | undefined {
  const { normalizer, added_tokens: added = [] } = json as Parts;
  const { remove_space: noBlanks, do_lowercase_and_remove_accent: plain } = config as Record<string, unknown>;
  if (noBlanks || plain || !writesBytes(json) || added.some((t) => t.lstrip || t.rstrip)) return undefined;
  let factor = 1;
  for (const { type, pattern, content = "" } of stepsOf(normalizer)) {
    if (/^NFK?[CD]$/.test(type)) factor *= unicodeForms;
    else if (type === "Replace" && pattern?.String !== undefined && pattern.String.length <= content.length)
      continue;
    else if (type !== "Prepend") return undefined;
  }
  return factor;
}

/** Whether every byte has a token, so that nothing is unknown or dropped. */
function writesBytes(json: object): boolean {
  const { pre_tokenizer: pre, model } = json as Parts;
  const vocab = (model?.vocab ?? {}) as Record<string, number>;
  const has = (names: readonly string[]) => names.every((name) => vocab[name] !== undefined);
  if (model?.byte_fallback) return has(fallbackNames);
  return stepsOf(pre).some(({ type }) => type === "ByteLevel") && has(byteNames);
}

const stepsOf = (step: Step | null | undefined): readonly Step[] =>
  step?.type === "Sequence" ? (step.normalizers ?? step.pretokenizers ?? []) : step ? [step] : [];

const fallbackNames = Array.from(
  { length: 256 },
  (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, "0")}>`,
);
