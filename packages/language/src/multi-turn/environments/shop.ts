import type { Generator } from "@reins/core/random";
import { between, many, some } from "../../tasks/random.ts";
import { type ScriptedPlayer, textTask } from "../../tasks/text-task.ts";
import { novice, seldom } from "./novice.ts";
import { wordTool } from "./word-tool.ts";

const kinds = ["bag", "cap", "cup", "pin"];
const colours = "RGBY";
const ids = "hjkqstvwxz";

/**
 * The stock: items of the right kind and colour, of the right kind in another colour, parts for the right kind, and
 * others. The maximum price; whether the cheapest is wanted, and whether a wanted item is sold out.
 */
const levels = [
  { right: 2, odd: 1, parts: 0, other: 2, top: 9, cheapest: false, gone: false },
  { right: 3, odd: 2, parts: 0, other: 3, top: 9, cheapest: false, gone: false },
  { right: 3, odd: 1, parts: 2, other: 2, top: 99, cheapest: false, gone: false },
  { right: 3, odd: 1, parts: 1, other: 2, top: 9, cheapest: true, gone: false },
  { right: 4, odd: 1, parts: 1, other: 2, top: 99, cheapest: true, gone: true },
];

interface Item {
  readonly id: string;
  readonly kind: string;
  readonly colour: string;
  /** Second kind of a part: `cup` and `bag` is a bag for cups, not a cup. */
  readonly part?: string;
  readonly price: number;
  readonly gone?: boolean;
}

interface ShopRequest {
  readonly kind: string;
  readonly colour: string;
  /** The price must be below this; without it, the cheapest is wanted. */
  readonly below?: number;
  readonly shelf: readonly Item[];
}

interface Shop extends ShopRequest {
  listed: boolean;
  /** Items whose price was requested, and those found sold out. */
  readonly priced: string[];
  readonly refused: string[];
  bought?: string;
}

/** Items of the wanted kind and colour, at any price. */
const matching = ({ kind, colour, shelf }: ShopRequest): Item[] =>
  shelf.filter((i) => i.kind === kind && i.colour === colour && i.part === undefined);

/** Items that satisfy the request. */
function fitting(request: ShopRequest): Item[] {
  const there = matching(request).filter((i) => !i.gone);
  const least = Math.min(...there.map((i) => i.price));
  return there.filter(({ price }) => (request.below === undefined ? price === least : price < request.below));
}

function makeRequest(random: Generator, level: number): ShopRequest {
  const { right, odd, parts, other, top, cheapest, gone } = levels[level - 1];
  const [kind, ...others] = some(random, kinds.length, kinds);
  const [colour, ...rest] = some(random, colours.length, colours);
  const below = between(random, Math.ceil(top / 3), Math.floor((2 * top) / 3));
  const anyPrice = () => between(random, 1, top);
  // One is cheap enough, the others are not; where the cheapest is wanted, it is sometimes sold out.
  const prices = many(right, (i) => (i === 0 ? between(random, 1, below - 1) : between(random, below, top)));
  const goods: Omit<Item, "id">[] = [
    ...prices.map((price) => ({ kind, colour, price: cheapest ? anyPrice() : price })),
    ...many(odd, () => ({ kind, colour: random.choice(rest), price: anyPrice() })),
    ...many(parts, () => ({
      kind,
      colour,
      part: random.choice(others),
      price: between(random, 1, below - 1),
    })),
    ...many(other, () => ({
      kind: random.choice(others),
      colour: random.choice(colours),
      price: anyPrice(),
    })),
  ];
  if (gone && random.random() < 0.7) {
    const least = Math.min(...goods.slice(0, right).map((g) => g.price));
    const at = goods.findIndex((g) => g.price === least);
    goods[at] = { ...goods[at], gone: true };
  }
  const names = some(random, goods.length, ids);
  const shelf = some(random, goods.length, goods).map((g, i) => ({ id: names[i], ...g }));
  return { kind, colour, ...(cheapest ? {} : { below }), shelf };
}

/** Items related to a word. */
const found = ({ shelf }: ShopRequest, word: string) =>
  shelf.filter((i) => i.kind === word || i.part === word);

const label = ({ id, colour, part }: Item) => `${id}${colour}${part ? `+${part}` : ""}`;

const expert: ScriptedPlayer<ShopRequest, Shop> = (_, { state }) => {
  const { listed, priced, refused, bought, below, kind } = state;
  if (bought !== undefined) return ".";
  if (!listed) return `find(${kind})`;
  const left = matching(state).filter((i) => !refused.includes(i.id));
  const known = left.filter((i) => priced.includes(i.id));
  const enough = known.find((i) => below !== undefined && i.price < below);
  if (enough) return `buy(${enough.id})`;
  const unknown = left.find((i) => !priced.includes(i.id));
  if (unknown) return `price(${unknown.id})`;
  const [cheapest] = known.sort((a, b) => a.price - b.price);
  return cheapest && below === undefined ? `buy(${cheapest.id})` : ".";
};

const anyCall: ScriptedPlayer<ShopRequest, Shop> = (_, { state }, random) => {
  const { id } = random.choice(state.shelf);
  return random.choice([`find(${random.choice(kinds)})`, `price(${id})`, `buy(${id})`, "."]);
};

/**
 * A shop with three tools. `R cup<6` is a request for a red cup below 6, `R cup min` for the cheapest one.
 * `find(cup)` lists items related to cups, each by its letter and colour (`xR+bag` is a bag for cups), `price(x)`
 * returns a price, `buy(x)` buys, once and finally.
 */
export const shop = textTask<ShopRequest, Shop>({
  id: "shop",
  about: "Find what a customer wants with find, price and buy: the kind, the colour, the price.",
  levels: levels.length,
  alphabet: "abcdefghijkmnopqrstuvwxyzRGBY0123456789 <()+-.",
  longest: { prompt: 9, answer: 9, conversation: 200 },
  make(random, level) {
    const request = makeRequest(random, level);
    const { kind, colour, below } = request;
    const prompt = `${colour} ${kind}${below === undefined ? " min" : `<${below}`}`;
    // The rest of the stock does not make a different problem.
    const goods = found(request, kind).map((i) => `${label(i)}${i.price}${i.gone ? "-" : ""}`);
    return {
      prompt,
      key: `${prompt}: ${goods.join(" ")}`,
      answer: `buy(${fitting(request)[0].id})`,
      data: request,
    };
  },
  verify({ data }, _, conversation) {
    const bought = conversation?.state.bought;
    if (bought === undefined) return { score: 0, why: "nothing was bought" };
    return fitting(data).some((i) => i.id === bought)
      ? { score: 1 }
      : { score: 0, why: `${bought} was bought` };
  },
  episode: {
    turns: 10,
    begin: ({ data }) => ({ ...data, listed: false, priced: [], refused: [] }),
    tools: [
      wordTool<Shop>("find", "Lists what has to do with a word.", "word", (word, state) => {
        state.listed ||= word === state.kind;
        return found(state, word).map(label).join(" ") || "-";
      }),
      wordTool<Shop>("price", "The price of an item.", "item", (id, { shelf, priced }) => {
        priced.push(id);
        return String(shelf.find((i) => i.id === id)?.price ?? "-");
      }),
      wordTool<Shop>("buy", "Buys an item.", "item", (id, state) => {
        const item = state.shelf.find((i) => i.id === id);
        if (!item) return "-";
        if (state.bought !== undefined) return "no";
        if (item.gone) {
          state.refused.push(id);
          return "gone";
        }
        state.bought = id;
        return "ok";
      }),
    ],
    players: {
      expert,
      random: anyCall,
      // Buys the first item of the right kind and colour, at any price.
      fixed: (_, { state }) =>
        state.bought !== undefined || state.refused.length
          ? "."
          : state.listed
            ? `buy(${matching(state)[0].id})`
            : `find(${state.kind})`,
      novice: novice(expert, anyCall, 0.2),
      /** Usually gives up, and seldom plays as the expert. */
      beginner: seldom<ShopRequest, Shop>(expert, ".", 0.85),
    },
  },
});
