import { many } from "../tasks/random.ts";

/** How many items of each kind somebody gets, or what an item of each kind is worth. */
export type Counts = readonly number[];

/** How partners bargain: `fair` wants half of all, as it sees it, `stubborn` three quarters, and `yielding` less after each refusal. */
export const tempers = ["fair", "stubborn", "yielding"] as const;

/** A partner, as the model does not see it. */
export interface Partner {
  /** What an item of each kind is worth to it. */
  readonly theirs: Counts;
  readonly temper: (typeof tempers)[number];
}

/** What some items are worth. */
export const worth = (counts: Counts, values: Counts): number =>
  counts.reduce((sum, c, i) => sum + c * values[i], 0);

/** All ways to divide items, by what one side gets. */
export const divisions = (counts: Counts): Counts[] =>
  counts.reduce<Counts[]>((all, most) => all.flatMap((d) => many(most + 1, (c) => [...d, c])), [[]]);

/** Quarters of all that a partner wants for itself when so many offers have been refused. */
function demand({ temper }: Partner, refused: number): number {
  if (temper === "yielding") return Math.max(1, 3 - refused);
  return temper === "fair" ? 2 : 3;
}

/** Whether a partner keeps so many quarters of all, by its own values, where the model has these items. */
function keeps(all: Counts, { theirs }: Partner, given: Counts, quarters: number): boolean {
  const total = worth(all, theirs);
  return 4 * (total - worth(given, theirs)) >= quarters * total;
}

/** Whether a partner lets the model have these items and takes what is left of all. */
export const accepts = (all: Counts, partner: Partner, offer: Counts, refused: number): boolean =>
  keeps(all, partner, offer, demand(partner, refused));

/**
 * What a partner says it would let the model have. It asks for a quarter more than it would take, gives as many items as it can spare
 * then, and of such divisions the one that it likes best. `ways` are all divisions, where they are known already.
 */
export function counterOf(all: Counts, partner: Partner, refused: number, ways = divisions(all)): Counts {
  const rank = (d: Counts) => 1000 * d.reduce((sum, c) => sum + c, 0) - worth(d, partner.theirs);
  return ways
    .filter((d) => keeps(all, partner, d, demand(partner, refused) + 1))
    .reduce((best, d) => (rank(d) > rank(best) ? d : best));
}

/** The best that the model can get of a partner, by its own values, if it may make so many offers. No partner wants more later on. */
export function bestDeal(all: Counts, mine: Counts, partner: Partner, offers: number): Counts {
  return divisions(all)
    .filter((d) => accepts(all, partner, d, offers - 1))
    .reduce((best, d) => (worth(d, mine) > worth(best, mine) ? d : best));
}
