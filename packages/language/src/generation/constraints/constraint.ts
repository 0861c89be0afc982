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
  /** Maximum nesting of values, for recursive schemas and values of any type (2 to 10; default 4). */
  readonly depth?: number;
}

/** Allows texts that a regular expression matches as a whole. */
export const matching = (pattern: string | RegExp, tokenizer: Tokenizer): Constraint =>
  grammar(expression(pattern), tokenizer);

/** Allows one of these texts. */
export const oneOf = (choices: readonly string[], tokenizer: Tokenizer): Constraint =>
  grammar(eitherOf(choices.map(text)), tokenizer);

/** Allows JSON that satisfies a schema: see {@link schemaTree} for valid JSON that is excluded. */
export function schema(of: JsonSchema, tokenizer: Tokenizer, options: SchemaOptions = {}): Constraint {
  const { depth = 4, ...notation } = options;
  return grammar(schemaTree(of, notation), tokenizer, { depth });
}

/** Maximum bytes of cached allowed-token sets; beyond it they are dropped. */
const room = 2 ** 26;
/** Maximum places of cached states, some 20 bytes each; beyond it they are dropped. */
const mostPlaces = 2_000_000;
/** Maximum places visited to find the allowed tokens of one state. */
const mostLooks = 200_000;

const sizes = new WeakMap<Constraint, () => number>();

/** Approximate bytes held by a constraint of {@link grammar}. */
export const bytesOf = (constraint: Constraint): number => sizes.get(constraint)?.() ?? 0;

/**
 * Allows texts of a tree. Allowed tokens are computed once for each state of the automaton and cached, so share one
 * constraint between many texts. Rules of level 1 nest up to `depth` (default: unlimited). Special tokens are never
 * allowed, except the end token where the text is complete. Every text that is begun can be completed: characters
 * outside the vocabulary are removed from the tree.
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
  // A growing text is read on from its last state; a changed one, from the first change.
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
        fail(
          "constraint",
          `token ${tokens[i]} at position ${i} violates the constraint. Pass only allowed tokens.`,
        );
      path.tokens.push(tokens[i]);
      path.states.push(next);
    }
    allowed.set(maskOf(path.states[tokens.length]));
  };
  sizes.set(constraint, () => automaton.nodes * 200 + automaton.places * 20 + masks.size * vocabulary.size);
  return constraint;
}

/** Marks the tokens that keep a state alive, traversing the vocabulary by common prefixes. */
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
        `computing the allowed tokens takes more than ${mostLooks} steps. Simplify its patterns or shorten its lists.`,
      );
    states[depths[n] + 1] = next;
    for (let i = first[n]; i < first[n + 1]; i++) mask[tokens[i]] = 1;
    n++;
  }
  return mask;
}

function reasonOf(tree: Tree, options: { depth?: number }): string {
  if (new Automaton(tree, options).start !== dead)
    return "the tokenizer cannot encode any matching text: its vocabulary lacks required characters.";
  return new Automaton(tree).start !== dead
    ? `no text matches within a depth of ${options.depth}. Raise depth.`
    : "no text matches: its conditions exclude each other.";
}
