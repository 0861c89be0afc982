import type { RunLine } from "@reins/studio/wire";
import { fieldOf } from "./fields.ts";
import { numberIn, type Operator, type Query, type Term } from "./query.ts";

/** Whether a run meets all conditions of a query. */
export const matches = (run: RunLine, terms: readonly Term[]): boolean =>
  terms.every((term) => meets(run, term) !== term.not);

function meets(run: RunLine, { field, operator, value }: Term): boolean {
  const sought = value.toLowerCase();
  if (field === undefined) return textOf(run).includes(sought);
  if (field === "tag") return compareTags(run.tags, operator, sought);
  const found = fieldOf(run, field);
  if (found === null || found === "") return false;
  const [a, b] = isDate(field)
    ? [Date.parse(String(found)), Date.parse(value)]
    : [found, typeof found === "number" ? numberIn(value) : undefined];
  if (typeof a === "number" && b !== undefined) return compareNumbers(a, operator, b);
  const text = String(found).toLowerCase();
  if (operator === ":") return text.includes(sought);
  return operator === "=" ? text === sought : operator === "!=" && text !== sought;
}

function compareTags(tags: readonly string[], operator: Operator, sought: string): boolean {
  const lower = tags.map((tag) => tag.toLowerCase());
  if (operator === ":") return lower.some((tag) => tag.includes(sought));
  return operator === "=" ? lower.includes(sought) : operator === "!=" && !lower.includes(sought);
}

function compareNumbers(a: number, operator: Operator, b: number): boolean {
  // 0.1 + 0.2 equals 0.3.
  const equal = Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b));
  if (operator === "=" || operator === ":") return equal;
  if (operator === "!=") return !equal;
  if (operator === ">" || operator === "<") return !equal && (operator === ">" ? a > b : a < b);
  return equal || (operator === ">=" ? a > b : a < b);
}

const isDate = (field: string) => field === "created";

/** Checks the values of a query; invalid terms become errors. */
export function checkValues({ terms, errors }: Query): Query {
  const wrong: string[] = [];
  const right = terms.filter(({ field, operator, value }) => {
    if (field === undefined) return true;
    const isRight = isDate(field)
      ? !Number.isNaN(Date.parse(value))
      : !/[<>]/.test(operator) || numberIn(value) !== undefined;
    const what = isDate(field)
      ? "date. Write it as created>2026-01-31."
      : `number, such as ${field}${operator}10.`;
    if (!isRight) wrong.push(`${field}${operator}${value}: "${value}" is not a ${what}`);
    return isRight;
  });
  return { terms: right, errors: [...errors, ...wrong] };
}

/** The text of a run for free-text search. */
const textOf = (run: RunLine): string =>
  [run.name, run.algorithm, run.env, run.given, run.state, run.note, ...run.tags].join(" ").toLowerCase();
