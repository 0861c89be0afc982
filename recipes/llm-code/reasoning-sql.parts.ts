import { inputs, registers } from "../shared/circuits.ts";
import type { Program } from "../shared/code-rewards.ts";

/** Share of the reference's inputs that a program reads. Inputs stand for tables and columns. */
export function linked(text: string, reference: string): number {
  const wanted = inputs.filter((name) => reference.includes(name));
  return wanted.filter((name) => text.includes(name)).length / wanted.length;
}

/** Pairs of successive words, without the names that a program gives to its results. */
function bigrams(program: string): Set<string> {
  const words = [...program].filter((c) => !registers.includes(c));
  return new Set(words.slice(1).map((word, i) => words[i] + word));
}

/** Jaccard similarity of the bigrams of two programs; 0 where neither has any. */
export function jaccard(text: string, reference: string): number {
  const [own, golden] = [bigrams(text), bigrams(reference)];
  const common = [...own].filter((pair) => golden.has(pair)).length;
  const union = own.size + golden.size - common;
  return union === 0 ? 0 : common / union;
}

/** 2 for the right result, 1 for a program that runs, and the share of linked inputs and the similarity to the reference. */
export const partialRewards =
  (tailored: boolean) =>
  ({ failure, right, text, reference }: Program): number => {
    const executed = (right ? 2 : 0) + (failure ? 0 : 1);
    if (!tailored) return executed;
    return executed + (failure === "compile" ? 0 : linked(text, reference)) + jaccard(text, reference);
  };
