import { fail } from "@reins/core";

/** A normalizer or pre-tokenizer of a tokenizer.json. */
interface Step {
  readonly type: string;
  readonly normalizers?: readonly Step[];
  readonly pretokenizers?: readonly Step[];
  readonly pattern?: { readonly String?: string };
  readonly content?: string;
  readonly behavior?: string;
  readonly invert?: boolean;
}

const partsOf = (step: Step | null | undefined): readonly Step[] =>
  step?.type === "Sequence" ? (step.normalizers ?? step.pretokenizers ?? []) : step ? [step] : [];

/** Refuses pre-tokenizers that the library splits in another way than the tokenizers of Hugging Face: its tokens would differ. */
export function refuseSplits(json: object, source: string): void {
  const { normalizer, pre_tokenizer } = json as { normalizer?: Step | null; pre_tokenizer?: Step | null };
  const replaced = partsOf(normalizer).flatMap(({ type, pattern, content = "" }) => {
    const text = type === "Replace" ? pattern?.String : undefined;
    return text !== undefined && !content.includes(text) ? [text] : [];
  });
  for (const { type, behavior = "Isolated", invert, pattern } of partsOf(pre_tokenizer)) {
    // Gemma splits at blanks, which its normalizer has replaced.
    if (type === "Split" && replaced.some((text) => pattern?.String?.includes(text))) continue;
    const known: { readonly [type: string]: readonly string[] } = {
      Split: invert ? ["Removed"] : ["Isolated", "Removed"],
      Punctuation: ["Contiguous"],
    };
    const supported = known[type];
    if (supported && !supported.includes(behavior))
      fail(
        source,
        `its pre-tokenizer ${type}${invert ? " with invert" : ""} has the behavior ${behavior}, which is not supported: texts would get other tokens. Supported: ${supported.join(" and ")}.`,
      );
  }
}
