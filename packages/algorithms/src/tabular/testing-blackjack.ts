/** Probability of a card of value 1 to 10 from an endless deck. */
const chance = (card: number) => (card === 10 ? 4 : 1) / 13;
const cards = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
const best = (sum: number, ace: boolean) => (ace && sum + 10 <= 21 ? sum + 10 : sum);

/** Distribution of the dealer's final total (0 for more than 21), from a hand in which aces count 1. */
function dealerEnds(sum: number, ace: boolean, p: number, out: Float64Array): void {
  const total = best(sum, ace);
  if (total >= 17) out[total > 21 ? 0 : total] += p;
  else for (const c of cards) dealerEnds(sum + c, ace || c === 1, p * chance(c), out);
}

/** Table index of an observation of Blackjack-v1: the sum, the dealer's card, and whether there is a usable ace. */
export const blackjackState = (total: number, dealer: number, soft: boolean) =>
  (total * 11 + dealer) * 2 + (soft ? 1 : 0);

/**
 * The exact return of Blackjack-v1 by Sutton and Barto's rules, for a policy by state (0 stick, 1 hit) or for the
 * optimal one.
 */
export function blackjackReturn(policy?: ArrayLike<number>): number {
  let value = 0;
  for (const dealer of cards) {
    const ends = new Float64Array(22);
    for (const c of cards) dealerEnds(dealer + c, dealer === 1 || c === 1, chance(c), ends);
    const natural = dealer === 1 ? chance(10) : dealer === 10 ? chance(1) : 0;
    const stick = (total: number) => {
      let sum = 0;
      ends.forEach((p, end) => (sum += p * Math.sign(total - end)));
      return sum;
    };
    const memo = new Map<number, number>();
    const play = (sum: number, ace: boolean): number => {
      if (sum > 21) return -1;
      const total = best(sum, ace);
      const state = blackjackState(total, dealer, total !== sum);
      const known = memo.get(state);
      if (known !== undefined) return known;
      const hit = () => cards.reduce((v, c) => v + chance(c) * play(sum + c, ace || c === 1), 0);
      const worth = policy ? (policy[state] ? hit() : stick(total)) : Math.max(stick(total), hit());
      memo.set(state, worth);
      return worth;
    };
    for (const a of cards)
      for (const b of cards) {
        const [sum, ace] = [a + b, a === 1 || b === 1];
        // A natural wins unless the dealer has one too; hitting forfeits it.
        const dealt = ace && sum === 11 && !policy?.[blackjackState(21, dealer, true)];
        value += chance(dealer) * chance(a) * chance(b) * (dealt ? 1 - natural : play(sum, ace));
      }
  }
  return value;
}
