import { between, letters, many } from "../random.ts";
import { worded } from "../single.ts";

const az = "abcdefghijklmnopqrstuvwxyz";

/** Number of letters, number of steps, and their kinds: reverse, rotate left or right, swap neighbours, swap halves. */
const sizes = [
  [3, 1, "r"],
  [5, 1, "r"],
  [6, 1, "r<"],
  [10, 1, "r<>"],
  [10, 2, "r<>s"],
  [14, 3, "r<>sh"],
  [20, 4, "<>shr"],
  [30, 5, "<>shr"],
] as const;

/** Permutations of letters: r reverses, <2 and >2 rotate by two places, s swaps neighbours, h swaps the halves. */
export const reversal = worded({
  id: "reversal",
  about: "Reverse and rotate letters.",
  levels: sizes.length,
  alphabet: `${az}0123456789<>:=`,
  longest: { prompt: 42, answer: 30 },
  form: /^[a-z]+$/,
  make(random, level) {
    const [length, count, kinds] = sizes[level - 1];
    const steps = many(count, () => {
      const kind = random.choice(kinds);
      return kind === "<" || kind === ">" ? `${kind}${between(random, 1, Math.min(9, length - 1))}` : kind;
    });
    const text = letters(random, length, az);
    return [`${steps.join("")}:${text}=`, steps.reduce(turned, text)];
  },
});

function turned(text: string, step: string): string {
  if (step === "r") return [...text].reverse().join("");
  if (step === "s") return text.replace(/(.)(.)/g, "$2$1");
  const by =
    step === "h" ? text.length / 2 : step[0] === "<" ? Number(step.slice(1)) : -Number(step.slice(1));
  return text.slice(by) + text.slice(0, by);
}
