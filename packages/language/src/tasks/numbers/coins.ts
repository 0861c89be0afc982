import { stripped, verdict, wholes } from "../answers.ts";
import { between, some, until } from "../random.ts";
import { textTask } from "../text-task.ts";

/**
 * Number of coin kinds, the largest coin, and the largest amount. From level 2 on there is a 1, so that every amount
 * can be paid.
 */
const sizes = [
  [2, 40, 80],
  [3, 12, 60],
  [3, 20, 99],
  [4, 25, 99],
  [4, 40, 199],
  [5, 60, 399],
  [5, 99, 699],
  [6, 199, 1999],
] as const;

/** The minimum number of coins for each amount from 0 to `amount`, and a coin of such a choice. */
function change(coins: readonly number[], amount: number): { fewest: number[]; coin: number[] } {
  const fewest = [0];
  const coin = [0];
  for (let i = 1; i <= amount; i++) {
    [fewest[i], coin[i]] = [Number.POSITIVE_INFINITY, 0];
    for (const c of coins)
      if (c <= i && fewest[i - c] + 1 < fewest[i]) [fewest[i], coin[i]] = [fewest[i - c] + 1, c];
  }
  return { fewest, coin };
}

/** Pay an amount with as few coins as possible. Any minimal choice in any order is right. */
export const coins = textTask<{ coins: number[]; amount: number; fewest: number }>({
  id: "coins",
  about: "Pay an amount with as few coins as possible.",
  levels: sizes.length,
  alphabet: "0123456789,:=",
  longest: { prompt: 27, answer: 40 },
  make(random, level) {
    const [count, most, far] = sizes[level - 1];
    const bound = level === 1 ? 2 : level < 4 ? 6 : 10;
    const all = Array.from({ length: most - 1 }, (_, i) => i + 2);
    const [kinds, amount, { fewest, coin }] = until(
      () => {
        const drawn = level === 1 ? some(random, count, all) : [1, ...some(random, count - 1, all)];
        const kinds = drawn.sort((a, b) => a - b);
        // Level 1 adds two coins; few other amounts could be paid.
        const amount = level === 1 ? random.choice(kinds) + random.choice(kinds) : between(random, 2, far);
        return [kinds, amount, change(kinds, amount)] as const;
      },
      ([, amount, { fewest }]) => fewest[amount] > 1 && fewest[amount] <= bound,
    );
    const paid: number[] = [];
    for (let left = amount; left > 0; left -= coin[left]) paid.push(coin[left]);
    paid.sort((a, b) => b - a);
    return {
      prompt: `${kinds.join(",")}:${amount}=`,
      answer: paid.join(","),
      data: { coins: kinds, amount, fewest: fewest[amount] },
    };
  },
  verify({ data: { coins, amount, fewest } }, answer) {
    const paid = wholes(stripped(answer), fewest);
    if (!paid) return verdict(false, false, `It is not a list of ${fewest} coins.`);
    const stray = paid.find((x) => !coins.some((coin) => `${coin}` === x));
    if (stray !== undefined) return verdict(false, true, "It uses an unknown coin.");
    const sum = paid.reduce((total, x) => total + Number(x), 0);
    return verdict(
      sum === amount && paid.length === fewest,
      true,
      `That pays ${sum} with ${paid.length} coins.`,
    );
  },
  nearMisses: ({ answer, data: { amount } }) => [
    `${amount}`,
    `${answer},1`,
    `${answer},0`,
    answer.slice(0, answer.lastIndexOf(",")),
    answer.replaceAll(",", "+"),
    `${answer},`,
  ],
});
