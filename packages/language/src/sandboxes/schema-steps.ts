import { Automaton } from "../generation/constraints/automaton.ts";
import { expression } from "../generation/constraints/expression.ts";
import { dead } from "../generation/constraints/product.ts";

/** Thrown when a validation has used all its steps. */
export class OutOfSteps extends Error {
  constructor(limit: number) {
    super(`It took more than ${limit} steps.`);
  }
}

/**
 * Counts the work of a validation: schema calls, loop iterations, bytes that patterns read. The same document takes
 * the same steps on every machine.
 */
export class Steps {
  private left: number;
  private readonly limit: number;

  constructor(limit: number) {
    this.limit = limit;
    this.left = limit;
  }

  /** Resets the count. */
  reset(): void {
    this.left = this.limit;
  }

  /** Uses steps. */
  take(count = 1): void {
    this.left -= count;
    if (this.left < 0) throw new OutOfSteps(this.limit);
  }
}

/** Instruments Ajv's generated code to count its calls and loop iterations: `self` is the instance with `steps`. */
export const counting = (code: string): string =>
  code
    .replace(/(return function validate\d+\(data, \{[^()]*\}=\{\}\)\{)/g, "$1self.steps.take();")
    .replace(/(\bfor ?\((?:const|let) [^{}]*?\) ?\{)/g, "$1self.steps.take();");

/** Text that {@link counting} must not find in the names of a schema. */
export const countedWords = /\bfor ?\((?:const|let) |function validate\d/;

/** Thrown for a valid pattern that is not supported. */
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

/** A pattern of a schema, as an automaton whose work is bounded by the text: patterns never backtrack. */
export function pattern(source: string, steps: Steps): { test(text: string): boolean; toString(): string } {
  const automaton = automatonOf(source);
  return {
    // Ajv distinguishes patterns by this.
    toString: () => String(new RegExp(source, "u")),
    test(text) {
      let state = automaton.start;
      for (const byte of encoder.encode(text)) {
        // Count as if no state were cached, so that the count depends on this text alone.
        steps.take(1 + automaton.placesOf(state));
        state = automaton.next(state, byte);
        if (state === dead) return false;
      }
      return automaton.accepts(state);
    },
  };
}
