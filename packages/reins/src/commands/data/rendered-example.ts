import { exampleFault } from "@reins/core/examples";
import type { Example } from "@reins/language";
import type { Ink } from "../../terminal/ink.ts";

/** A part of an example's text, and whether it is learned. */
interface Part {
  readonly text: string;
  readonly learned: boolean;
}

/** Maximum characters of a part that are shown. */
const most = 600;

/** An example as text, learned parts between ⟦ and ⟧. Without a model, turns are shown as lines. */
export function renderedExample(
  example: Example,
  render: ((example: Example) => readonly Part[]) | undefined,
  ink: Ink,
  _width: number,
): readonly string[] {
  const parts = partsBy(example, render);
  const text = parts
    .filter((part) => part.text !== "")
    .map((part) => (part.learned ? ink.color(2, `⟦${cut(part.text)}⟧`) : cut(part.text)))
    .join("");
  return text.split("\n").map((line) => `  ${line}`);
}

function partsBy(
  example: Example,
  render: ((example: Example) => readonly Part[]) | undefined,
): readonly Part[] {
  try {
    return render ? render(example) : plainParts(example);
  } catch (error) {
    exampleFault(error);
    return plainParts(example);
  }
}

const other = (text: string): Part => ({ text, learned: false });
const learned = (text: string): Part => ({ text, learned: true });

/** The parts of an example without a tokenizer. */
function plainParts(example: Example): readonly Part[] {
  switch (example.kind) {
    case "document":
      return [learned(example.text)];
    case "conversation":
      return turns(example.messages, true);
    case "completion":
      return [...asked(example.prompt), ...replied(example.completion)];
    case "labelled":
      return [
        ...asked(example.prompt),
        ...replied(example.completion),
        other(`\n(${example.label ? "desirable" : "undesirable"})`),
      ];
    case "preference":
      return [
        ...asked(example.prompt),
        other("\nchosen: "),
        ...replied(example.chosen),
        other("\nrejected: "),
        ...replied(example.rejected),
      ];
    case "ranking":
      return [
        ...asked(example.prompt),
        ...example.completions.flatMap((c, i) => [other(`\n${example.scores[i]}: `), ...replied(c)]),
      ];
    case "steps":
      return [
        ...asked(example.prompt),
        ...example.steps.flatMap((step, i) => [
          other(`\n${example.labels[i] ? "right" : "wrong"}: `),
          learned(step),
        ]),
      ];
  }
}

type Text = Extract<Example, { readonly kind: "completion" }>["prompt"];

const asked = (prompt: Text): readonly Part[] =>
  typeof prompt === "string" ? [other(prompt)] : turns(prompt, false);

const replied = (completion: Text): readonly Part[] =>
  typeof completion === "string" ? [learned(completion)] : turns(completion, true);

function turns(messages: Exclude<Text, string>, isLearned: boolean): readonly Part[] {
  return messages.flatMap(({ role, content, calls = [] }) => {
    const text = content + calls.map((c) => `${c.name}(${JSON.stringify(c.arguments)})`).join(" ");
    return [other(`${role}: `), isLearned && role === "assistant" ? learned(text) : other(text), other("\n")];
  });
}

const cut = (text: string): string =>
  text.length <= most ? text : `${text.slice(0, most)}… (${text.length} characters)`;
