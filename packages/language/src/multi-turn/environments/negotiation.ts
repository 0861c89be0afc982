import type { Generator } from "@reins/core/random";
import { stripped } from "../../tasks/answers.ts";
import { between, many } from "../../tasks/random.ts";
import { textTask } from "../../tasks/text-task.ts";
import {
  accepts,
  bestDeal,
  type Counts,
  counterOf,
  divisions,
  type Partner,
  tempers,
  worth,
} from "./negotiation-partner.ts";
import { type Known, reasoned } from "./negotiation-reasoning.ts";

/** Books, hats and balls. */
const items = "bhl";

/** Settings of a level. */
interface Size {
  readonly kinds: number;
  /** Maximum items of a kind. */
  readonly most: number;
  /** Maximum value of an item to the model. */
  readonly highest: number;
  /** Number of offers that the model may make. */
  readonly offers: number;
  /** Possible partners. */
  readonly partners: readonly Partner[];
}

/** Partners of the first temperaments, with all values from 1 to `highest` that pass. */
const partners = (
  [kinds, highest]: Counts,
  tempered: number,
  passes: (values: Counts) => boolean = () => true,
): Partner[] =>
  divisions(many(kinds, () => highest - 1))
    .map((d) => d.map((v) => v + 1))
    .filter(passes)
    .flatMap((theirs) => tempers.slice(0, tempered).map((temper) => ({ theirs, temper })));
const [oneDear, ordered] = [
  partners([2, 3], 3, (v) => v[0] + v[1] === 4 && v[0] !== v[1]),
  partners([3, 3], 3, (v) => new Set(v).size === 3),
];
const sizes: readonly Size[] = [
  { kinds: 2, most: 3, highest: 3, offers: 3, partners: oneDear.filter((p) => p.temper === "fair") },
  { kinds: 2, most: 3, highest: 4, offers: 4, partners: oneDear },
  { kinds: 3, most: 2, highest: 4, offers: 4, partners: ordered },
  { kinds: 3, most: 3, highest: 5, offers: 5, partners: partners([3, 3], 3) },
];

interface Table {
  readonly counts: Counts;
  /** Value of an item of each kind to the model. */
  readonly mine: Counts;
  readonly partner: Partner;
}

interface Bargain extends Table, Known {
  readonly offers: number;
  readonly log: Known["log"][number][];
  /** What the model gets in the end. */
  deal?: Counts;
}

/** Parses an offer: a digit for each kind, within the available counts. */
function offerIn(text: string, counts: Counts): Counts | undefined {
  if (text.length !== counts.length || !/^[0-9]+$/.test(text)) return undefined;
  const offer = [...text].map(Number);
  return offer.every((c, i) => c <= counts[i]) ? offer : undefined;
}

/** Items and values. Something can be won, but not everything. */
function table(random: Generator, { kinds, most, highest, offers, partners }: Size): Table {
  for (;;) {
    const [counts, mine] = [most, highest].map((to) => many(kinds, () => between(random, 1, to)));
    const partner = random.choice(partners);
    const best = worth(bestDeal(counts, mine, partner, offers), mine);
    if (best > 0 && best < worth(counts, mine)) return { counts, mine, partner };
  }
}

const anyOffer = (random: Generator, { counts }: Table): string =>
  counts.map((c) => between(random, 0, c)).join("");

/** The model's best part with at most a fraction of the total value. */
function partOf({ counts, mine }: Table, share: number): string {
  const most = share * worth(counts, mine);
  return divisions(counts)
    .filter((d) => worth(d, mine) <= most)
    .reduce((best, d) => (worth(d, mine) > worth(best, mine) ? d : best))
    .join("");
}

/**
 * Items to divide with a partner whose values and temperament are hidden. `2b3 1h1` is two books worth 3 each to the
 * model and a hat worth 1. The model offers by what it takes for itself: `11` is a book and the hat. The partner
 * accepts and takes the rest, or makes a counter-offer of what the model would get: `10`. `y` accepts it, `n` walks
 * away. The score is the deal's value to the model, as a fraction of the best deal that this partner would have
 * accepted by the last offer; without a deal it is 0.
 */
export const negotiation = textTask<Table, Bargain>({
  id: "negotiation",
  about:
    "Divide books, hats and balls with a partner: offer by what you take (21), accept a counter-offer (y) or walk away (n).",
  levels: sizes.length,
  alphabet: `0123456789${items}yn? `,
  longest: { prompt: 11, answer: 3, conversation: 60 },
  make(random, level) {
    const size = sizes[level - 1];
    const data = table(random, size);
    const { counts, mine, partner } = data;
    const prompt = counts.map((c, i) => `${c}${items[i]}${mine[i]}`).join(" ");
    const key = `${prompt} ${partner.theirs.join("")} ${partner.temper}`;
    return { prompt, key, answer: bestDeal(counts, mine, partner, size.offers).join(""), data };
  },
  verify({ data: { counts, mine, partner }, level }, _, conversation) {
    const deal = conversation?.state.deal;
    if (!deal) return { score: 0, why: "No deal was made." };
    const [got, best] = [deal, bestDeal(counts, mine, partner, sizes[level - 1].offers)].map((d) =>
      worth(d, mine),
    );
    return { score: got / best, why: `It is worth ${got}; ${best} was possible.` };
  },
  episode: {
    turns: 5,
    begin: ({ data, level }) => ({ ...data, offers: sizes[level - 1].offers, log: [] }),
    turn(state, { content }) {
      const { counts, partner, log, offers } = state;
      const text = stripped(content);
      if (text === "n") return { done: true };
      const refused = log.length;
      const offer = offerIn(text, counts);
      state.deal =
        text === "y"
          ? log[refused - 1]?.counter
          : offer && accepts(counts, partner, offer, refused)
            ? offer
            : undefined;
      if (state.deal) return { done: true };
      const counter = offer && counterOf(counts, partner, refused);
      log.push({ offer, counter });
      if (log.length === offers) return { done: true };
      return { say: counter?.join("") ?? "?" };
    },
    players: {
      /** Has the model's information and the list of possible partners. */
      expert: ({ level }, { state }) => reasoned(state, sizes[level - 1].partners, state.offers),
      /** Knows the best deal that the partner finally accepts, and offers only that. */
      oracle: ({ answer }) => answer,
      /** Demands everything once, and accepts the counter-offer. */
      content: (_, { state: { counts, log } }) => (log.length ? "y" : counts.join("")),
      /** Demands less each time, and accepts no counter-offer. */
      fixed: (_, { state }) => partOf(state, 0.75 - (0.4 * state.log.length) / (state.offers - 1)),
      /** Like the expert, but one turn in four is a random offer. */
      novice: ({ level }, { state }, random) =>
        random.chance(0.25)
          ? anyOffer(random, state)
          : reasoned(state, sizes[level - 1].partners, state.offers),
      random(_, { state }, random) {
        const at = random.random();
        if (state.log.length && at < 0.2) return "y";
        return at > 0.9 ? "n" : anyOffer(random, state);
      },
    },
  },
});
