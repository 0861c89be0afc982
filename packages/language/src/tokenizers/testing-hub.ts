import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { hubTokenizer } from "./hub.ts";

const fixtures =
  process.env.REINS_FIXTURES ?? fileURLToPath(new URL("../../../../fixtures", import.meta.url));
const json = JSON.parse(readFileSync(join(fixtures, "hf", "tokenizer.json"), "utf8")) as object;

/** The tokenizer of the fixtures with a chat template. */
export const tokenizerOf = (template?: string) =>
  hubTokenizer(json, {
    eos_token: "<|im_end|>",
    ...(template === undefined ? {} : { chat_template: template }),
  });
