import { between, many } from "../random.ts";
import { numbered } from "../single.ts";

/** Degree, largest coefficient, and least and greatest x. */
const sizes = [
  [1, 50, 0, 9],
  [1, 9, -9, 9],
  [2, 5, 0, 9],
  [2, 9, -9, 9],
  [3, 9, -5, 5],
  [3, 9, -12, 12],
  [4, 20, -15, 15],
  [5, 99, -30, 30],
] as const;

/** Values of polynomials. */
export const polynomials = numbered({
  id: "polynomials",
  about: "Evaluate a polynomial.",
  levels: sizes.length,
  alphabet: "0123456789xf^+-()=,",
  longest: { prompt: 41, answer: 11 },
  make(random, level) {
    const [degree, most, low, high] = sizes[level - 1];
    // The first coefficient is not 0: it gives the degree. At level 1 the constant term dominates.
    const coefficients = many(degree + 1, (i) => {
      if (level === 1) return i === 0 ? between(random, 1, 3) : between(random, 0, 50);
      return between(random, level < 4 ? 0 : -most, most) || (i === 0 ? 1 : 0);
    });
    const x = between(random, low, high);
    const value = coefficients.reduce((sum, a) => sum * BigInt(x) + BigInt(a), 0n);
    return [`f=${text(coefficients)},f(${x})=`, value];
  },
});

/** `3x^2-x+5`, from the highest power down, without terms that are 0. */
function text(coefficients: readonly number[]): string {
  const terms = coefficients.map((a, i) => {
    const power = coefficients.length - 1 - i;
    const factor = Math.abs(a) === 1 && power > 0 ? "" : `${Math.abs(a)}`;
    const x = power === 0 ? "" : power === 1 ? "x" : `x^${power}`;
    return a === 0 ? "" : `${a < 0 ? "-" : "+"}${factor}${x}`;
  });
  return terms.join("").replace(/^\+/, "");
}
