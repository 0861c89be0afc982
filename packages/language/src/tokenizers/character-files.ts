import { fail } from "@reins/core";
import { join, mkdir, replaceFile } from "#node";

/** Names of the tokens that are not characters, in order. */
const [pad, end] = ["<pad>", "<end>"];

/**
 * Writes the tokenizer of {@link characters} to a Hugging Face folder, as byte pairs without merges. Its alphabet
 * must be ASCII.
 */
export async function saveCharacters(folder: string, alphabet: string): Promise<void> {
  const files = characterFiles(alphabet);
  await mkdir(folder, { recursive: true });
  for (const [file, text] of files) await replaceFile(join(folder, file), text);
}

/** The tokenizer files as texts by name, for environments without a file system. */
export function characterFiles(alphabet: string): Map<string, string> {
  const letters = [...new Set(alphabet)];
  const foreign = letters.find((c) => !/[ -~]/.test(c));
  if (foreign !== undefined)
    fail("saveCharacters", `${JSON.stringify(foreign)} is not ASCII. Only ASCII alphabets can be saved.`);
  // Bytes have visible names there; a space is Ġ.
  const names = [pad, end, ...letters.map((c) => (c === " " ? "Ġ" : c))];
  const bytes = { type: "ByteLevel", add_prefix_space: false, trim_offsets: false, use_regex: false };
  const tokenizer = {
    version: "1.0",
    truncation: null,
    padding: null,
    added_tokens: [pad, end].map((content, id) => ({
      id,
      content,
      special: true,
      single_word: false,
      lstrip: false,
      rstrip: false,
      normalized: false,
    })),
    normalizer: null,
    pre_tokenizer: bytes,
    post_processor: null,
    decoder: bytes,
    model: {
      type: "BPE",
      dropout: null,
      unk_token: null,
      continuing_subword_prefix: null,
      end_of_word_suffix: null,
      fuse_unk: false,
      byte_fallback: false,
      vocab: Object.fromEntries(names.map((name, id) => [name, id])),
      merges: [],
    },
  };
  const config = { tokenizer_class: "PreTrainedTokenizerFast", eos_token: end, pad_token: pad };
  const text = (what: object) => `${JSON.stringify(what, null, 2)}\n`;
  return new Map([
    ["tokenizer.json", text(tokenizer)],
    ["tokenizer_config.json", text(config)],
  ]);
}
