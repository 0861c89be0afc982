import { accepts, type Counts, counterOf, divisions, type Partner, worth } from "./negotiation-partner.ts";

/** What the model knows of a bargain. */
export interface Known {
  readonly counts: Counts;
  /** What an item of each kind is worth to the model. */
  readonly mine: Counts;
  /** What was refused and what the partner would give instead; nothing of turns that were no offer. */
  readonly log: readonly { readonly offer?: Counts; readonly counter?: Counts }[];
}

/** The partners that would have answered as this one did. */
const possible = ({ counts, log }: Known, partners: readonly Partner[], ways: Counts[]): Partner[] =>
  partners.filter((p) =>
    log.every(
      ({ offer, counter }, n) =>
        !offer || (!accepts(counts, p, offer, n) && `${counterOf(counts, p, n, ways)}` === `${counter}`),
    ),
  );

/** Partners who answer a refusal in the same way cannot be told apart by it. */
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
 * Plays by what the partner's answers say of it, and knows no more. Of each offer it reckons what it gains where it is taken at once, and what
 * would be known where it is not, as if the next offer were the last; then it makes the best one. `partners` are all that there may be.
 */
export function reasoned(known: Known, partners: readonly Partner[], offers: number): string {
  const { counts, mine, log } = known;
  const all = divisions(counts);
  const [now, last] = [log.length, offers - 1];
  const left = possible(known, partners, all);
  const gains = all.map((offer) => worth(offer, mine));
  const taking = new Map(left.map((p) => [p, all.map((offer) => accepts(counts, p, offer, last))]));
  /** The last offer to make to partners of whom nothing more is known, and what it gains in the mean. */
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
