import { Automaton } from "../generation/constraints/automaton.ts";
import { expression } from "../generation/constraints/expression.ts";
import { dead } from "../generation/constraints/product.ts";

/** Thrown when a check has taken all its steps. */
export class OutOfSteps extends Error {
  constructor(limit: number) {
    super(`It took more than ${limit} steps.`);
  }
}

/** Counts what a check does: calls of schemas, turns of loops, bytes that patterns read. The same document takes the same steps on every machine. */
export class Steps {
  private left: number;
  private readonly limit: number;

  constructor(limit: number) {
    this.limit = limit;
    this.left = limit;
  }

  /** Begins to count anew. */
  reset(): void {
    this.left = this.limit;
  }

  /** Takes so many. */
  take(count = 1): void {
    this.left -= count;
    if (this.left < 0) throw new OutOfSteps(this.limit);
  }
}

/** Makes code of Ajv count its calls and the turns of its loops: `self` is the instance, whose `steps` count. */
export const counting = (code: string): string =>
  code
    .replace(/(return function validate\d+\(data, \{[^()]*\}=\{\}\)\{)/g, "$1self.steps.take();")
    .replace(/(\bfor ?\((?:const|let) [^{}]*?\) ?\{)/g, "$1self.steps.take();");

/** What {@link counting} must not find in the names of a schema. */
export const countedWords = /\bfor ?\((?:const|let) |function validate\d/;

/** Thrown where a pattern is valid, and yet not one that is read here. */
export class UnreadPattern extends Error {}

const encoder = new TextEncoder();

function automatonOf(source: string): Automaton {
  new RegExp(source, "u");
  try {
    return new Automaton(expression(source, { within: true }));
  } catch (error) {
    throw new UnreadPattern((error as Error).message);
  }
}

/** A pattern of a schema. It is read by an automaton, whose work is bounded by the text: no pattern backtracks. */
export function pattern(source: string, steps: Steps): { test(text: string): boolean; toString(): string } {
  const automaton = automatonOf(source);
  return {
    // Ajv tells patterns apart by this.
    toString: () => String(new RegExp(source, "u")),
    test(text) {
      let state = automaton.start;
      for (const byte of encoder.encode(text)) {
        // As if no state were known from another text, so that the count depends on this one alone.
        steps.take(1 + automaton.placesOf(state));
        state = automaton.next(state, byte);
        if (state === dead) return false;
      }
      return automaton.accepts(state);
    },
  };
}
