import { stripped, verdict, wholes } from "../answers.ts";
import { family } from "../family.ts";
import { between, some, until } from "../random.ts";

/** How many kinds of coins besides 1, the greatest coin, and the greatest amount. */
const sizes = [
  [1, 20, 60],
  [2, 12, 60],
  [2, 20, 99],
  [3, 25, 99],
  [3, 40, 199],
  [4, 60, 399],
  [4, 99, 699],
  [5, 199, 1999],
] as const;

/** The fewest coins for each amount from 0 to `amount`: how many, and one that may be among them. */
function change(coins: readonly number[], amount: number): { fewest: number[]; coin: number[] } {
  const fewest = [0];
  const coin = [0];
  for (let i = 1; i <= amount; i++) {
    let best = 1;
    for (const c of coins) if (c <= i && fewest[i - c] < fewest[i - best]) best = c;
    [coin[i], fewest[i]] = [best, fewest[i - best] + 1];
  }
  return { fewest, coin };
}

/** Pay an amount with as few coins as possible. Any fewest coins in any order are right. */
export const coins = family<{ coins: number[]; amount: number; fewest: number }>({
  id: "coins",
  about: "Pay an amount with as few coins as possible.",
  levels: sizes.length,
  alphabet: "0123456789,:=",
  longest: { prompt: 27, answer: 40 },
  make(random, level) {
    const [count, most, far] = sizes[level - 1];
    const bound = level === 1 ? 3 : level < 4 ? 6 : 10;
    const [kinds, amount, { fewest, coin }] = until(
      () => {
        const kinds = [
          1,
          ...some(
            random,
            count,
            Array.from({ length: most - 1 }, (_, i) => i + 2),
          ),
        ].sort((a, b) => a - b);
        const amount = between(random, 2, far);
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
    if (!paid) return verdict(false, false, `It is no list of ${fewest} coins.`);
    const stray = paid.find((x) => !coins.some((coin) => `${coin}` === x));
    if (stray !== undefined) return verdict(false, true, "There is no such coin.");
    const sum = paid.reduce((total, x) => total + Number(x), 0);
    return verdict(
      sum === amount && paid.length === fewest,
      true,
      `That pays ${sum} with ${paid.length} coins.`,
    );
  },
  nearMisses: ({ answer, data: { coins, amount } }) =>
    [
      `${amount}`,
      `${answer},1`,
      `${answer},0`,
      answer.slice(0, answer.lastIndexOf(",")),
      answer.replaceAll(",", "+"),
      coins.join(","),
    ].filter(
      (text) =>
        text.split(",").reduce((sum, x) => sum + Number(x), 0) !== amount ||
        text === `${amount}` ||
        text.endsWith(",0"),
    ),
});
