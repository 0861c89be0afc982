import { stripped, verdict } from "../answers.ts";
import { between, many, some } from "../random.ts";
import { textTask } from "../text-task.ts";

const names = "abcdefghijklmn";

/** Number of variables, number of clauses, and their minimum and maximum literals. */
const sizes = [
  [3, 2, 1, 2],
  [3, 3, 2, 2],
  [4, 5, 2, 2],
  [5, 7, 2, 3],
  [6, 10, 2, 3],
  [8, 16, 2, 3],
  [10, 24, 2, 3],
  [14, 38, 2, 2],
] as const;

/**
 * Boolean satisfiability. A capital letter is a negated variable: aB,c means (a or not b) and c. The answer has a 1
 * or a 0 for each variable, and any assignment that satisfies the clauses is right.
 */
export const satisfying = textTask<{ variables: number; clauses: string[] }>({
  id: "satisfying",
  about: "Find truth values that satisfy clauses.",
  levels: sizes.length,
  alphabet: `${names}${names.toUpperCase()}0123456789,:=`,
  longest: { prompt: 117, answer: 14 },
  make(random, level) {
    const [variables, count, least, most] = sizes[level - 1];
    const hidden = many(variables, () => random.integers(2));
    const clauses = many(count, () => {
      const size = between(random, least, most);
      const chosen = some(random, size, [...hidden.keys()]);
      // One or two of three literals are true, one of two: otherwise the more frequent sign would reveal a value.
      const truths = size === 3 ? between(random, 1, 2) : 1;
      const literals = chosen.map((i, k) =>
        (hidden[i] === 1) === k < truths ? names[i] : names[i].toUpperCase(),
      );
      return random.permutation(literals).join("");
    });
    return {
      prompt: `${variables}:${clauses.join(",")}=`,
      answer: hidden.join(""),
      data: { variables, clauses },
    };
  },
  verify({ data: { variables, clauses } }, answer) {
    const text = stripped(answer);
    if (text.length !== variables || !/^[01]+$/.test(text))
      return verdict(false, false, `It is not ${variables} bits.`);
    const holds = (literal: string) => {
      const at = names.indexOf(literal.toLowerCase());
      return (text[at] === "1") === (literal === names[at]);
    };
    const broken = clauses.find((clause) => ![...clause].some(holds));
    return verdict(broken === undefined, true, `${broken} does not hold.`);
  },
  nearMisses({ answer, data: { clauses } }) {
    // All literals of the first clause made false.
    const bits = [...answer];
    for (const c of clauses[0]) bits[names.indexOf(c.toLowerCase())] = c === c.toLowerCase() ? "0" : "1";
    return [bits.join(""), `${answer}0`, answer.slice(1), `${answer}2`, clauses.join(",")];
  },
});
