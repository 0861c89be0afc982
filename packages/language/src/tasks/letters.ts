import { textTask } from "./text-task.ts";

const eight = "abcdefgh";

/** Two of eight letters to sort at level 1, one more at each level: a one-layer model learns it in a minute. */
export const letters = textTask<object>({
  id: "letters",
  about: "Sort a few letters.",
  levels: 7,
  alphabet: `${eight}=`,
  longest: { prompt: 9, answer: 8 },
  make(random, level) {
    const drawn = Array.from({ length: level + 1 }, () => random.choice(eight));
    return { prompt: `${drawn.join("")}=`, answer: [...drawn].sort().join(""), data: {} };
  },
  verify: (problem, answer) => ({ score: Number(answer === problem.answer) }),
});
