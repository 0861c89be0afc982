import type { Generator } from "@reins/core/random";

/** A logical formula: its text, its precedence, and its value where bit i of `row` is the i-th variable. */
export interface Formula {
  readonly text: string;
  readonly binds: number;
  value(row: number): boolean;
}

const operators = [
  { sign: "|", binds: 1, apply: (a: boolean, b: boolean) => a || b },
  { sign: "^", binds: 2, apply: (a: boolean, b: boolean) => a !== b },
  { sign: "&", binds: 3, apply: (a: boolean, b: boolean) => a && b },
];

/** A random formula over the leaves, in this order. `negations` is the rate of negated parts. */
export function grow(random: Generator, leaves: readonly Formula[], negations: number): Formula {
  if (leaves.length === 1) return negated(random, leaves[0], negations);
  const cut = random.integers(1, leaves.length);
  const a = grow(random, leaves.slice(0, cut), negations);
  const b = grow(random, leaves.slice(cut), negations);
  const { sign, binds, apply } = random.choice(operators);
  const within = (part: Formula) => (part.binds < binds ? `(${part.text})` : part.text);
  const both = {
    text: `${within(a)}${sign}${within(b)}`,
    binds,
    value: (row: number) => apply(a.value(row), b.value(row)),
  };
  return negated(random, both, negations / 3);
}

const negated = (random: Generator, part: Formula, chance: number): Formula =>
  random.random() < chance
    ? {
        text: `!${part.binds < 4 ? `(${part.text})` : part.text}`,
        binds: 4,
        value: (row) => !part.value(row),
      }
    : part;
