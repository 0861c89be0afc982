import { fail } from "@reins/core";
import { type LanguageModel, loadModel, loadTokenizer, type Tokenizer } from "@reins/language";

/** The model of a folder as a teacher of a model with this tokenizer: both must read the same tokens. */
export async function teacherModel(folder: string, tokenizer: Tokenizer): Promise<LanguageModel> {
  const model = await loadModel(folder);
  const own = await loadTokenizer(folder, model.options.vocabulary);
  const different = firstDifference(own, tokenizer);
  if (different !== undefined)
    fail(
      folder,
      `token ${different} is ${shown(own, different)} for the teacher and ${shown(tokenizer, different)} for the student, and distillation compares the probabilities of equal tokens. Use a teacher with the student's tokenizer, such as a larger model of its family; from another one, generate answers (reins generate) and imitate them (reins train sft).`,
    );
  return model;
}

/** The first token whose text differs, or that only one of the tokenizers has. */
function firstDifference(a: Tokenizer, b: Tokenizer): number | undefined {
  const size = Math.max(a.size, b.size);
  for (let token = 0; token < size; token++) if (shown(a, token) !== shown(b, token)) return token;
  return undefined;
}

const shown = (tokenizer: Tokenizer, token: number): string =>
  token < tokenizer.size ? JSON.stringify(tokenizer.textOf(token)) : "missing";
