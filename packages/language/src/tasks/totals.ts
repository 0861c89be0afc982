import { type TextTask, textTask } from "./text-task.ts";

const az = "abcdefghijklmnopqrstuvwxyz";

/**
 * Digits from 1 to 3 to be added one after the other, each total written as a letter. Only the last letter is judged.
 * The reference answers have an error at a fraction `slips` of the steps and continue from there: a teacher that is
 * worth imitating only for a while.
 */
export const totals = (terms: number, slips = 0): TextTask<{ last: string }> =>
  textTask<{ last: string }>({
    id: "totals",
    about: "Add digits one by one.",
    levels: 1,
    alphabet: `${az}123=`,
    longest: { prompt: terms + 1, answer: terms },
    make(random) {
      const letter = (total: number) => az[(total - 1) % az.length];
      const digits = Array.from({ length: terms }, () => 1 + random.integers(3));
      let total = 0;
      const steps = digits.map((digit) => {
        total += digit + (random.random() < slips ? 1 + random.integers(3) : 0);
        return letter(total);
      });
      const last = letter(digits.reduce((a, b) => a + b));
      return { prompt: `${digits.join("")}=`, answer: steps.join(""), data: { last } };
    },
    verify: ({ data }, answer) => ({ score: Number(answer.length === terms && answer.endsWith(data.last)) }),
  });
