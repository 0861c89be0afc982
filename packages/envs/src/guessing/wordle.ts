import { fail } from "@reins/core";
import type { Generator } from "@reins/core/random";
import { GuessingGame } from "./game.ts";

/** Word length. */
const length = 5;

/**
 * Wordle's marking of a guess: for each letter, from the first, 2 if it is in its place, 1 if it is elsewhere, 0
 * if not; the marks are the digits of a base-3 number. A letter is marked at most as often as the secret has it,
 * correct places first.
 */
export function wordleFeedback(guess: string, secret: string): number {
  const left = new Map<string, number>();
  for (let i = 0; i < length; i++)
    if (guess[i] !== secret[i]) left.set(secret[i], (left.get(secret[i]) ?? 0) + 1);
  let code = 0;
  for (let i = 0; i < length; i++) {
    const spare = left.get(guess[i]) ?? 0;
    const mark = guess[i] === secret[i] ? 2 : spare > 0 ? 1 : 0;
    if (mark === 1) left.set(guess[i], spare - 1);
    code = 3 * code + mark;
  }
  return code;
}

/** Wordle with these words; the first `secrets` of them may be secret. */
export const wordle = (words: readonly string[], secrets = words.length): GuessingGame =>
  new GuessingGame({
    guesses: words.length,
    secrets,
    answers: 3 ** length,
    answer: (g, s) => wordleFeedback(words[g], words[s]),
  });

const consonants = [..."bcdfghjklmnprstvw"];
const vowels = [..."aeiou"];
/** Shapes of endings (c: consonant, v: vowel, others: themselves). */
const shapes = ["vccv", "vcvc", "vccc", "vvcc", "vcve"];

/**
 * Random pronounceable words in rhyming families: a vocabulary that needs no dictionary. As with light, night and
 * sight, words of a family differ in their first letter, which makes Wordle hard; the fewer families, the harder.
 */
export function generateWords(random: Generator, count: number, families: number): string[] {
  if (count > families * consonants.length)
    fail(
      "generateWords",
      `${families} families have ${families * consonants.length} words, fewer than the requested ${count}.`,
    );
  const endings = new Set<string>();
  while (endings.size < families) {
    const draw = (kind: string) =>
      kind === "c" ? random.choice(consonants) : kind === "v" ? random.choice(vowels) : kind;
    endings.add([...random.choice(shapes)].map(draw).join(""));
  }
  const words = [...endings].flatMap((ending) => consonants.map((first) => first + ending));
  return random.permutation(words).slice(0, count);
}
