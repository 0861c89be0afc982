import { fail } from "@reins/core";

/** The remaining secrets, in ascending order: a uniform belief over them. */
export type GuessBelief = readonly number[];

/** Definition of a guessing game. */
export interface GuessingOptions {
  /** Number of possible guesses. The first of them are the secrets: guess s is secret s itself. */
  readonly guesses: number;
  readonly secrets: number;
  /** Number of answers: 0 to `answers` - 1. */
  readonly answers: number;
  /** The answer to a guess for a secret. */
  readonly answer: (guess: number, secret: number) => number;
}

/**
 * A uniformly random secret has to be guessed; each guess gets an answer, and the belief keeps the consistent
 * secrets. The number of guesses is the cost.
 */
export class GuessingGame {
  readonly guesses: number;
  readonly secrets: number;
  /** The initial belief. */
  readonly start: GuessBelief;
  private readonly table: Uint16Array;
  /** The answer to the secret itself. */
  private readonly right: number;
  private readonly counts: Int32Array;

  constructor({ guesses, secrets, answers, answer }: GuessingOptions) {
    if (!(secrets >= 1 && guesses >= secrets))
      fail("guessing game", `${guesses} guesses for ${secrets} secrets: every secret must be a guess.`);
    this.guesses = guesses;
    this.secrets = secrets;
    this.start = Array.from({ length: secrets }, (_, s) => s);
    this.right = answer(0, 0);
    this.table = new Uint16Array(guesses * secrets);
    this.counts = new Int32Array(answers);
    for (let g = 0; g < guesses; g++)
      for (let s = 0; s < secrets; s++) {
        const a = answer(g, s);
        if ((a === this.right) !== (g === s))
          fail(
            "guessing game",
            `guess ${g} at secret ${s} is answered as if it were ${g === s ? "wrong" : "right"}.`,
          );
        this.table[g * secrets + s] = a;
      }
  }

  /** The possible beliefs after a wrong guess. */
  split(belief: GuessBelief, guess: number): GuessBelief[] {
    const groups = new Map<number, number[]>();
    for (const s of belief) {
      const a = this.table[guess * this.secrets + s];
      if (a === this.right) continue;
      const group = groups.get(a);
      if (group) group.push(s);
      else groups.set(a, [s]);
    }
    return [...groups.values()];
  }

  /**
   * Sums `value(size)` over the groups into which a guess splits a belief; the group of a correct guess has size 1
   * and counts as well.
   */
  sumOverGroups(belief: GuessBelief, guess: number, value: (size: number) => number): number {
    const { counts, table } = this;
    const from = guess * this.secrets;
    for (const s of belief) counts[table[from + s]]++;
    let sum = 0;
    for (const s of belief) {
      const a = table[from + s];
      if (counts[a] > 0) sum += value(counts[a]);
      counts[a] = 0;
    }
    return sum;
  }
}
