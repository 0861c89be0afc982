import { type Generator, stream } from "@reins/core/random";
import { type Candidate, type TextTask, textTask } from "@reins/language";
import { real } from "@reins/tensor";

const letters = "abcdefgh";
/** Completions are two lines of one letter. */
const form = /^[a-h]\n[a-h]$/;

/** Whether a completion has the form of the demonstrations. */
export const wellFormed = (completion: string): boolean => form.test(completion);

/**
 * The known utility of a completion, from 0 to 1: the mean over its first two letters of their own value, 1 for `a` down
 * to 0 for `h`, and of whether they occur in the prompt. Missing letters have 0. Line breaks do not matter to annotators,
 * so methods are compared by what they prefer, and how often they leave the form is measured apart.
 */
export function utility(prompt: string, completion: string): number {
  const written = [...completion].filter((character) => letters.includes(character));
  const values = written
    .slice(0, 2)
    .map((letter) => (1 - letters.indexOf(letter) / 7 + Number(prompt.includes(letter))) / 2);
  return values.reduce((a, b) => a + b, 0) / 2;
}

/** Bradley-Terry annotators prefer the first of two completions with probability σ(precision × difference of utilities). */
export const precision = 10;

/** A label of the annotators, 1 or 0: the same for the same two completions of a prompt, whatever their order. */
export function label(prompt: string, one: string, other: string): number {
  if (one === other) return 0.5;
  const [first, second] = one < other ? [one, other] : [other, one];
  const chance = stream(0, `${prompt}|${first}|${second}`) / 2 ** 53;
  const gap = precision * (utility(prompt, first) - utility(prompt, second));
  const wins = chance < 1 / (1 + real.exp(-gap));
  return Number(wins === (first === one));
}

/** Gumbel noise on the utilities makes labels of pairs and rankings those of a Bradley-Terry model. */
const noise = (random: Generator) =>
  -real.log(-real.log((random.integers(2 ** 31) + 0.5) / 2 ** 31)) / precision;

/**
 * Writing letters that annotators like. Demonstrations and recorded completions have random letters; half of the
 * completions of a prompt share the first line of the first one, as if they had been continued from it.
 */
export function writing(candidates: number): TextTask<object> {
  return textTask<object>({
    id: "writing",
    about: "Write two lines of letters that annotators prefer.",
    levels: 1,
    alphabet: `${letters}:\n`,
    longest: { prompt: 3, answer: 3 },
    make(random) {
      const line = () => letters[random.integers(letters.length)];
      const prompt = `${line()}${line()}:`;
      const answer = `${line()}\n${line()}`;
      const first = line();
      const texts = Array.from({ length: candidates }, (_, i) => {
        const shared = i > 0 && random.integers(2) === 0;
        return `${shared || i === 0 ? first : line()}\n${line()}`;
      });
      return { prompt, answer, candidates: ranked(prompt, texts, random), data: {} };
    },
    verify: ({ prompt }, answer) => ({ score: utility(prompt, answer), wellFormed: wellFormed(answer) }),
    prefer: ({ prompt }, one, other) => label(prompt, one, other),
  });
}

/** Completions with their ranks as scores, from 0 for the worst to 1 for the best. */
function ranked(prompt: string, texts: readonly string[], random: Generator): Candidate[] {
  const liked = texts.map((text) => utility(prompt, text) + noise(random));
  return texts.map((text, i) => ({
    text,
    score: liked.filter((other) => other < liked[i]).length / (texts.length - 1),
  }));
}
