import { fail } from "@reins/core";
import { join, mkdir, replaceFile } from "#node";
import { byteNames } from "./spelling.ts";

/** Names of the tokens that are not characters, in order. */
const [pad, end] = ["<pad>", "<end>"];

/** Writes the tokenizer of {@link characters} to a Hugging Face folder, as byte pairs without merges. */
export async function saveCharacters(folder: string, alphabet: string): Promise<void> {
  const files = characterFiles(alphabet);
  await mkdir(folder, { recursive: true });
  for (const [file, text] of files) await replaceFile(join(folder, file), text);
}

/** The tokenizer files as texts by name, for environments without a file system. */
export function characterFiles(alphabet: string): Map<string, string> {
  const letters = [...new Set(alphabet)];
  const half = letters.find((c) => /\p{Surrogate}/u.test(c));
  if (half !== undefined)
    fail("saveCharacters", `${JSON.stringify(half)} is half of a character. Remove it from the texts.`);
  const { names, ...steps } = letters.every((c) => c < "\x80") ? byteLevel(letters) : fused(letters);
  const vocabulary = [pad, end, ...names];
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
    normalizer: steps.normalizer,
    pre_tokenizer: steps.splits,
    post_processor: null,
    decoder: steps.decoder,
    model: {
      type: "BPE",
      dropout: null,
      unk_token: null,
      continuing_subword_prefix: null,
      end_of_word_suffix: null,
      fuse_unk: false,
      byte_fallback: false,
      vocab: Object.fromEntries(vocabulary.map((name, id) => [name, id])),
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

/** A token for each byte. ASCII characters are one byte each, and bytes have visible names. */
function byteLevel(letters: readonly string[]) {
  const bytes = { type: "ByteLevel", add_prefix_space: false, trim_offsets: false, use_regex: false };
  return {
    names: letters.map((c) => byteNames[c.charCodeAt(0)]),
    normalizer: null,
    splits: bytes,
    decoder: bytes,
  };
}

/** A token for each character, which several bytes may spell. A blank has a visible name, as in SentencePiece. */
function fused(letters: readonly string[]) {
  const blank = ["\u2581", "\u2423", "\u2420"].find((c) => !letters.includes(c));
  if (blank === undefined)
    return fail("saveCharacters", "the texts contain \u2581, \u2423 and \u2420. Remove one of them.");
  const replace = (from: string, to: string) => ({ type: "Replace", pattern: { String: from }, content: to });
  return {
    names: letters.map((c) => (c === " " ? blank : c)),
    normalizer: replace(" ", blank),
    splits: null,
    decoder: { type: "Sequence", decoders: [replace(blank, " "), { type: "Fuse" }] },
  };
}
