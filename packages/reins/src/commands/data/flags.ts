import { number, text, toggle } from "../../cli/flags.ts";

/** Flags of `reins data check`. */
export const flags = {
  model: text("FOLDER", "Hugging Face folder of the model: token lengths and the loss mask by its tokenizer"),
  all: toggle("with --model: count the tokens of every example (default: of 20,000)"),
  test: number("N", "held-out share where lines have no split (default 0.1)"),
  json: toggle("print JSON"),
};
