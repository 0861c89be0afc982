import { gcd } from "../../tools/fraction.ts";
import { between } from "../random.ts";
import { numbered } from "../single.ts";

/** The largest common factor, and the largest number that it is multiplied with. */
const sizes = [
  [1, 999],
  [10, 5],
  [12, 12],
  [20, 30],
  [50, 99],
  [200, 200],
  [999, 999],
  [99_999, 9_999],
] as const;

/** Greatest common divisors; at level 1 one of the numbers is 2, 5 or 10; from level 4 on least common multiples too. */
export const divisors = numbered({
  id: "divisors",
  about: "Find the greatest common divisor or the least common multiple.",
  levels: sizes.length,
  alphabet: "0123456789gcdlm,=",
  longest: { prompt: 24, answer: 14 },
  make(random, level) {
    const [common, most] = sizes[level - 1];
    const by = between(random, 1, common);
    const a = by * between(random, 1, most);
    const b = level === 1 ? random.choice([2, 5, 10]) : by * between(random, 1, most);
    const divisor = gcd(BigInt(a), BigInt(b));
    if (level < 4 || random.random() < 0.5) return [`gcd${a},${b}=`, divisor];
    return [`lcm${a},${b}=`, (BigInt(a) * BigInt(b)) / divisor];
  },
});
