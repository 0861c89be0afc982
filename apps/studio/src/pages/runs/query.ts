/** The query language of the list: `env=CartPole-v1 return>10 -tag:old "free text"`. */

const operators = ["!=", ">=", "<=", "=", ">", "<", ":"] as const;

/** Comparison operators; `:` matches a substring. */
export type Operator = (typeof operators)[number];

/** One condition: a comparison of a field, or a text anywhere in a run. */
export interface Term {
  /** Whether the condition is negated. */
  readonly not: boolean;
  /** The source text, for messages. */
  readonly text: string;
  readonly field?: string;
  readonly operator: Operator;
  readonly value: string;
}

/** The conditions of a query, and its errors. */
export interface Query {
  readonly terms: readonly Term[];
  readonly errors: readonly string[];
}

/** A word with optional quoted parts: `note:"two words"`. */
const word = /(?:"[^"]*"|[^\s"])+/g;
const comparison = /^([A-Za-z_][\w./-]*)(!=|>=|<=|=|>|<|:)(.*)$/s;

/** Parses a query. Invalid terms are left out and reported as errors. */
export function parseQuery(text: string): Query {
  const errors: string[] = [];
  const quotes = text.split('"').length - 1;
  if (quotes % 2 === 1) errors.push(`Unclosed quote: ${text.slice(text.lastIndexOf('"'))}`);
  const whole = quotes % 2 === 1 ? text.slice(0, text.lastIndexOf('"')).replace(/\S*$/, "") : text;
  const terms = (whole.match(word) ?? []).flatMap((written): Term[] => {
    const not = written.startsWith("-");
    const typed = not ? written.slice(1) : written;
    if (typed === "") {
      errors.push("A dash excludes what follows it: -tag:old.");
      return [];
    }
    const [, field, operator, value] = comparison.exec(typed) ?? [];
    if (field === undefined) {
      if (/^(!=|>=|<=|=|>|<|:)/.test(typed)) {
        errors.push(`${typed} has no field. Name one: return${typed}.`);
        return [];
      }
      return [{ not, text: written, operator: ":", value: plain(typed) }];
    }
    if (value === "") {
      errors.push(`${typed} has no value. Add one: ${field}${operator}10.`);
      return [];
    }
    return [{ not, text: written, field, operator: operator as Operator, value: plain(value) }];
  });
  return { terms, errors };
}

const plain = (text: string) => text.replaceAll('"', "");

/** Parses a number, also with k or M; undefined otherwise. */
export function numberIn(text: string): number | undefined {
  const [, digits, unit] = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)([kM]?)$/i.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const size = unit === "" ? 1 : unit.toLowerCase() === "k" ? 1e3 : 1e6;
  return Number(digits) * size;
}
