import { accepts, type Counts, counterOf, divisions, type Partner, worth } from "./negotiation-partner.ts";

/** The model's information in a negotiation. */
export interface Known {
  readonly counts: Counts;
  /** Value of an item of each kind to the model. */
  readonly mine: Counts;
  /** Rejected offers and the partner's counter-offers; empty for turns without an offer. */
  readonly log: readonly { readonly offer?: Counts; readonly counter?: Counts }[];
}

/** The partners consistent with all replies. */
const possible = ({ counts, log }: Known, partners: readonly Partner[], ways: Counts[]): Partner[] =>
  partners.filter((p) =>
    log.every(
      ({ offer, counter }, n) =>
        !offer || (!accepts(counts, p, offer, n) && `${counterOf(counts, p, n, ways)}` === `${counter}`),
    ),
  );

/** Groups of partners that respond to a rejection in the same way. */
function groups(refusing: readonly Partner[], answer: (p: Partner) => Counts): [Counts, Partner[]][] {
  const found = new Map<string, [Counts, Partner[]]>();
  for (const partner of refusing) {
    const counter = answer(partner);
    const group = found.get(`${counter}`);
    if (group) group[1].push(partner);
    else found.set(`${counter}`, [counter, [partner]]);
  }
  return [...found.values()];
}

/**
 * Plays by inference from the partner's replies, without hidden information. For each offer it computes the expected
 * value if it is accepted at once, and of the information if it is rejected, as if the next offer were the last; then
 * it makes the best one. `partners` are all possible partners.
 */
export function reasoned(known: Known, partners: readonly Partner[], offers: number): string {
  const { counts, mine, log } = known;
  const all = divisions(counts);
  const [now, last] = [log.length, offers - 1];
  const left = possible(known, partners, all);
  const gains = all.map((offer) => worth(offer, mine));
  const taking = new Map(left.map((p) => [p, all.map((offer) => accepts(counts, p, offer, last))]));
  /** The last offer to make to these possible partners, and its expected value. */
  const lastOffer = (among: readonly Partner[]) => {
    const tables = among.map((p) => taking.get(p)!);
    return all
      .map((offer, i) => ({ offer, gain: (gains[i] * tables.filter((t) => t[i]).length) / among.length }))
      .reduce((best, one) => (one.gain > best.gain ? one : best));
  };
  if (now >= last) {
    const { offer, gain } = lastOffer(left);
    const counter = log[now - 1]?.counter;
    return counter && worth(counter, mine) >= gain ? "y" : offer.join("");
  }
  const counters = new Map(left.map((p) => [p, counterOf(counts, p, now, all)]));
  const reckoned = new Map<string, number>();
  const later = (refusing: readonly Partner[]): number => {
    const key = refusing.map((p) => left.indexOf(p)).join();
    const before = reckoned.get(key);
    if (before !== undefined) return before;
    const sums = groups(refusing, (p) => counters.get(p)!).map(
      ([counter, group]) => group.length * Math.max(lastOffer(group).gain, worth(counter, mine)),
    );
    const sum = sums.reduce((a, b) => a + b, 0);
    reckoned.set(key, sum);
    return sum;
  };
  return all
    .map((offer, i) => {
      const refusing = left.filter((p) => !accepts(counts, p, offer, now));
      return { offer, gain: (left.length - refusing.length) * gains[i] + later(refusing) };
    })
    .reduce((best, one) => (one.gain > best.gain ? one : best))
    .offer.join("");
}
