import type { Generator } from "@reins/core/random";
import { stripped } from "../answers.ts";
import { between, letters, many, until } from "../random.ts";
import { textTask } from "../text-task.ts";

/** Minimum and maximum letters of the answer, the alphabet, and the number and kinds of constraints. */
const sizes = [
  [3, 5, 26, 1, "^"],
  [3, 6, 26, 1, "^$@"],
  [4, 8, 26, 2, "^$@+"],
  [5, 9, 12, 3, "^$@+-"],
  [6, 10, 8, 4, "^$@+-#"],
  [8, 12, 6, 6, "^$@+-#"],
  [10, 16, 5, 8, "$@+-#u"],
  [14, 20, 5, 12, "@+-#u"],
  [20, 20, 5, 23, "@+-#u"],
] as const;

const az = "abcdefghijklmnopqrstuvwxyz";

/**
 * Write letters that satisfy constraints: ^ab and $ab begin and end with ab, @3c has c in the third place, +ab
 * contains ab, -c has no c, #2c has exactly two c, u has no two equal neighbours. The score is the fraction of
 * satisfied constraints.
 */
export const instructions = textTask<{ length: number; demands: string[] }>({
  id: "instructions",
  about: "Write letters that satisfy several constraints.",
  levels: sizes.length,
  alphabet: `${az}0123456789^$@+-# :=`,
  longest: { prompt: 118, answer: 20 },
  make(random, level) {
    const [least, most, range, count, kinds] = sizes[level - 1];
    const length = between(random, least, most);
    // The constraints hold for a hidden answer. Neighbours differ in half of the answers that could require it.
    const apart = kinds.includes("u") && random.random() < 0.5;
    const text = until(
      () => letters(random, length, az.slice(0, range)),
      (drawn) => !apart || met("u", drawn),
    );
    const demands = new Set<string>();
    while (demands.size < count) {
      const drawn = demand(random, random.choice(kinds), text);
      if (met(drawn, text)) demands.add(drawn);
    }
    const shown = [...demands];
    return { prompt: `${length}:${shown.join(" ")}=`, answer: text, data: { length, demands: shown } };
  },
  verify({ data: { length, demands } }, answer) {
    const text = stripped(answer);
    if (text.length !== length || !/^[a-z]+$/.test(text))
      return { score: 0, wellFormed: false, why: `It is not ${length} letters.` };
    const broken = demands.filter((demand) => !met(demand, text));
    if (broken.length === 0) return { score: 1, wellFormed: true };
    return {
      score: 1 - broken.length / demands.length,
      wellFormed: true,
      why: `Not met: ${broken.join(" ")}.`,
    };
  },
  nearMisses({ answer, data: { demands } }) {
    const first = demands[0];
    const letter = first[first.length - 1];
    // A required letter is missing, or a forbidden one is present.
    const other = az[(az.indexOf(letter) + 1) % 26];
    const never = first[0] === "-" || first.startsWith("#0");
    const spoilt = never
      ? letter.repeat(answer.length)
      : first === "u"
        ? "a".repeat(answer.length)
        : answer.replaceAll(letter, other);
    return [
      spoilt,
      `${answer}a`,
      answer.slice(1),
      `${answer.slice(1)} `,
      answer.toUpperCase(),
      demands.join(""),
    ];
  },
});

function demand(random: Generator, kind: string, text: string): string {
  const place = random.integers(text.length);
  const two = Math.max(0, Math.min(text.length - 2, place));
  if (kind === "^") return `^${text.slice(0, 2)}`;
  if (kind === "$") return `$${text.slice(-2)}`;
  if (kind === "@") return `@${place + 1}${text[place]}`;
  if (kind === "+") return `+${text.slice(two, two + between(random, 2, 3))}`;
  if (kind === "u") return "u";
  const letter = random.choice(az.slice(0, 6));
  return kind === "-" ? `-${letter}` : `#${text.split(letter).length - 1}${letter}`;
}

function met(demand: string, text: string): boolean {
  const [kind, rest] = [demand[0], demand.slice(1)];
  if (kind === "^") return text.startsWith(rest);
  if (kind === "$") return text.endsWith(rest);
  if (kind === "+") return text.includes(rest);
  if (kind === "-") return !text.includes(rest);
  if (kind === "u") return many(text.length - 1, (i) => text[i] !== text[i + 1]).every((apart) => apart);
  const [number, letter] = [Number.parseInt(rest, 10), rest[rest.length - 1]];
  return kind === "@" ? text[number - 1] === letter : text.split(letter).length - 1 === number;
}
