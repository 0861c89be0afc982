import { fail } from "@reins/core";
import type { Tokenizer } from "../../tokenizers/tokenizer.ts";
import type { Constraint } from "../sequence.ts";
import { Automaton } from "./automaton.ts";
import { expression } from "./expression.ts";
import type { Notation } from "./json.ts";
import type { JsonSchema } from "./keywords.ts";
import { dead } from "./product.ts";
import { schemaTree } from "./schema.ts";
import { eitherOf, type Tree, text } from "./tree.ts";
import { type Vocabulary, vocabularyOf } from "./vocabulary.ts";

/** Settings of {@link schema}. */
export interface SchemaOptions extends Notation {
  /** How many values may lie within each other, of schemas that contain themselves and of values of any kind (2 to 10; 4 by default). */
  readonly depth?: number;
}

/** Only texts that an expression matches as a whole. */
export const matching = (pattern: string | RegExp, tokenizer: Tokenizer): Constraint =>
  grammar(expression(pattern), tokenizer);

/** Only one of these texts. */
export const oneOf = (choices: readonly string[], tokenizer: Tokenizer): Constraint =>
  grammar(eitherOf(choices.map(text)), tokenizer);

/** Only JSON that satisfies a schema: see {@link schemaTree} for what is valid and yet not written. */
export function schema(of: JsonSchema, tokenizer: Tokenizer, options: SchemaOptions = {}): Constraint {
  const { depth = 4, ...notation } = options;
  return grammar(schemaTree(of, notation), tokenizer, { depth });
}

/** Bytes that the allowed tokens of known states may take before they are forgotten. */
const room = 2 ** 26;
/** Places that known states may have before they are forgotten, some 20 bytes each. */
const mostPlaces = 2_000_000;
/** Most places that finding the tokens of one state may look at. */
const mostLooks = 200_000;

const sizes = new WeakMap<Constraint, () => number>();

/** About how many bytes a constraint of {@link grammar} holds by now. */
export const bytesOf = (constraint: Constraint): number => sizes.get(constraint)?.() ?? 0;

/**
 * Only texts of a tree. What may follow is worked out once for each state of the automaton and kept, so one constraint should serve
 * many texts. Rules of level 1 lie within each other up to `depth`, without limit by default. Special tokens are never allowed, but for the end where the text is complete. Every text that is begun can be
 * completed: characters that the vocabulary cannot write are no part of the tree.
 */
export function grammar(tree: Tree, tokenizer: Tokenizer, options: { depth?: number } = {}): Constraint {
  const vocabulary = vocabularyOf(tokenizer);
  const automaton = new Automaton(tree, { ...options, alphabet: vocabulary.alphabet });
  if (automaton.start === dead) fail("constraint", reasonOf(tree, options));
  const masks = new Map<number, Uint8Array>();
  const maskOf = (state: number): Uint8Array => {
    const known = masks.get(state);
    if (known) return known;
    if (masks.size * vocabulary.size >= room) masks.clear();
    const mask = allowedAt(automaton, state, vocabulary);
    masks.set(state, mask);
    return mask;
  };
  // A text that grows is read on from where it was; one that was changed, from where it was changed.
  let read = new WeakMap<readonly number[], { tokens: number[]; states: number[] }>();
  const constraint: Constraint = (tokens, allowed) => {
    if (automaton.places > mostPlaces) {
      automaton.forget();
      masks.clear();
      read = new WeakMap();
    }
    const path = read.get(tokens) ?? { tokens: [], states: [automaton.start] };
    read.set(tokens, path);
    let same = 0;
    while (same < path.tokens.length && path.tokens[same] === tokens[same]) same++;
    path.tokens.length = same;
    path.states.length = same + 1;
    for (let i = same; i < tokens.length; i++) {
      const bytes = vocabulary.bytesOf(tokens[i]);
      const next = bytes ? automaton.read(bytes, path.states[i]) : dead;
      if (next === dead)
        fail("constraint", `token ${tokens[i]} at place ${i} is not allowed there: the text does not fit.`);
      path.tokens.push(tokens[i]);
      path.states.push(next);
    }
    allowed.set(maskOf(path.states[tokens.length]));
  };
  sizes.set(constraint, () => automaton.nodes * 200 + automaton.places * 20 + masks.size * vocabulary.size);
  return constraint;
}

/** Marks the tokens that keep a state alive, going through the vocabulary by common prefixes. */
function allowedAt(automaton: Automaton, state: number, vocabulary: Vocabulary): Uint8Array {
  const { bytes, depths, after, first, tokens } = vocabulary;
  const mask = new Uint8Array(vocabulary.size);
  if (automaton.accepts(state)) mask[vocabulary.end] = 1;
  const states = [state];
  const seen = new Set<number>();
  let looks = 0;
  for (let n = 0; n < bytes.length; ) {
    const next = automaton.next(states[depths[n]], bytes[n]);
    if (next === dead) {
      n = after[n];
      continue;
    }
    if (!seen.has(next)) {
      seen.add(next);
      looks += automaton.placesOf(next);
    }
    if (looks > mostLooks)
      fail(
        "constraint",
        `finding the next tokens takes more than ${mostLooks} steps. Simplify its patterns, or shorten its lists.`,
      );
    states[depths[n] + 1] = next;
    for (let i = first[n]; i < first[n + 1]; i++) mask[tokens[i]] = 1;
    n++;
  }
  return mask;
}

function reasonOf(tree: Tree, options: { depth?: number }): string {
  if (new Automaton(tree, options).start !== dead)
    return "the tokenizer cannot write any text that fits: its vocabulary lacks characters that each of them has.";
  return new Automaton(tree).start !== dead
    ? `nothing fits within a depth of ${options.depth}. Raise it.`
    : "no text fits: it asks for things that exclude each other.";
}
