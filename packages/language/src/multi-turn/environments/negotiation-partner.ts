import { many } from "../../tasks/random.ts";

/** Number of items of each kind, or the value of an item of each kind. */
export type Counts = readonly number[];

/**
 * Temperaments of partners: `fair` wants half of the total by its own values, `stubborn` three quarters, and
 * `yielding` less after each rejection.
 */
export const tempers = ["fair", "stubborn", "yielding"] as const;

/** A partner, hidden from the model. */
export interface Partner {
  /** Value of an item of each kind to the partner. */
  readonly theirs: Counts;
  readonly temper: (typeof tempers)[number];
}

/** The value of some items. */
export const worth = (counts: Counts, values: Counts): number =>
  counts.reduce((sum, c, i) => sum + c * values[i], 0);

/** All divisions of the items, by what one side gets. */
export const divisions = (counts: Counts): Counts[] =>
  counts.reduce<Counts[]>((all, most) => all.flatMap((d) => many(most + 1, (c) => [...d, c])), [[]]);

/** Quarters of the total that a partner demands after this many rejected offers. */
function demand({ temper }: Partner, refused: number): number {
  if (temper === "yielding") return Math.max(1, 3 - refused);
  return temper === "fair" ? 2 : 3;
}

/** Whether a partner keeps this many quarters of the total, by its own values, if the model gets these items. */
function keeps(all: Counts, { theirs }: Partner, given: Counts, quarters: number): boolean {
  const total = worth(all, theirs);
  return 4 * (total - worth(given, theirs)) >= quarters * total;
}

/** Whether a partner accepts an offer and takes the rest. */
export const accepts = (all: Counts, partner: Partner, offer: Counts, refused: number): boolean =>
  keeps(all, partner, offer, demand(partner, refused));

/**
 * A partner's counter-offer. It demands a quarter more than it would accept, gives as many items as it can spare
 * then, and prefers the best such division by its own values. `ways` are all divisions, if already computed.
 */
export function counterOf(all: Counts, partner: Partner, refused: number, ways = divisions(all)): Counts {
  const rank = (d: Counts) => 1000 * d.reduce((sum, c) => sum + c, 0) - worth(d, partner.theirs);
  return ways
    .filter((d) => keeps(all, partner, d, demand(partner, refused) + 1))
    .reduce((best, d) => (rank(d) > rank(best) ? d : best));
}

/** The best deal for the model, by its own values, within this many offers. Demands of partners never rise. */
export function bestDeal(all: Counts, mine: Counts, partner: Partner, offers: number): Counts {
  return divisions(all)
    .filter((d) => accepts(all, partner, d, offers - 1))
    .reduce((best, d) => (worth(d, mine) > worth(best, mine) ? d : best));
}
