import type { Generator } from "@reins/core/random";
import { combine, type Fraction, fraction } from "./fraction.ts";

/** A formula of integers whose every part has an integer value. */
export interface Formula {
  readonly text: string;
  readonly value: number;
  /** Precedence: 1 for sums, 2 for products, 3 for numbers. */
  readonly binds: number;
}

/**
 * A random formula with these numbers in this order. Divisions are exact, and no part exceeds `most`; where an
 * operator would violate that, another one replaces it.
 */
export function grow(
  random: Generator,
  numbers: readonly number[],
  operators: string,
  most = 99_999,
): Formula {
  if (numbers.length === 1) return { text: `${numbers[0]}`, value: numbers[0], binds: 3 };
  const cut = random.integers(1, numbers.length);
  const a = grow(random, numbers.slice(0, cut), operators, most);
  const b = grow(random, numbers.slice(cut), operators, most);
  const fits = (op: string) => {
    const value = apply(op, a.value, b.value);
    return Number.isInteger(value) && Math.abs(value) <= most;
  };
  const fitting = [...operators].filter(fits);
  // Of the sum and the difference of parts within bounds, one is within bounds too.
  const op = fitting.length > 0 ? random.choice(fitting) : fits("+") ? "+" : "-";
  const binds = op === "+" || op === "-" ? 1 : 2;
  const left = a.binds < binds ? `(${a.text})` : a.text;
  // After - and / a part of the same precedence needs parentheses; after + and * they would be redundant.
  const tight = b.binds < binds || (b.binds === binds && (op === "-" || op === "/"));
  // `+ 0` turns -0 into 0.
  return {
    text: `${left}${op}${tight ? `(${b.text})` : b.text}`,
    value: apply(op, a.value, b.value) + 0,
    binds,
  };
}

const apply = (op: string, a: number, b: number): number =>
  op === "+" ? a + b : op === "-" ? a - b : op === "*" ? a * b : a / b;

/**
 * The value of a formula of integers, + - * / and parentheses, and the numbers in it. Undefined if the text is not a
 * formula, divides by zero, or has more than `most` numbers. Two stacks instead of recursion, so that ten thousand
 * parentheses do not overflow the call stack.
 */
export function evaluate(text: string, most: number): { value: Fraction; numbers: number[] } | undefined {
  const values: Fraction[] = [];
  const operators: string[] = [];
  const numbers: number[] = [];
  const reduce = (): boolean => {
    const b = values.pop()!;
    const value = combine(operators.pop()!, values.pop()!, b);
    if (value) values.push(value);
    return value !== undefined;
  };
  let operand = true; // whether an operand comes next
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (operand && c === "(") operators.push(c);
    else if (operand && c >= "0" && c <= "9") {
      let end = i + 1;
      while (text[end] >= "0" && text[end] <= "9") end++;
      if (end - i > 9 || numbers.length === most) return undefined;
      numbers.push(Number(text.slice(i, end)));
      values.push(fraction(numbers[numbers.length - 1]));
      i = end - 1;
      operand = false;
    } else if (!operand && c === ")") {
      while (operators.length > 0 && operators[operators.length - 1] !== "(") if (!reduce()) return undefined;
      if (operators.pop() === undefined) return undefined;
    } else if (!operand && "+-*/".includes(c)) {
      while (operators.length > 0 && binding(operators[operators.length - 1]) >= binding(c))
        if (!reduce()) return undefined;
      operators.push(c);
      operand = true;
    } else return undefined;
  }
  if (operand) return undefined;
  while (operators.length > 0) {
    if (operators[operators.length - 1] === "(") return undefined;
    if (!reduce()) return undefined;
  }
  return { value: values[0], numbers };
}

const binding = (op: string): number => (op === "(" ? 0 : op === "+" || op === "-" ? 1 : 2);
