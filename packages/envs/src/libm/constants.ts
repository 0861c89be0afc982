/** The constants of the method in `exact.ts`. Destructure them: V8 reads imported bindings through cells each time. */
export const constants = {
  // The sine near 0, and the range of its polynomial.
  S1: -1 / 6,
  S2: 0.008333333333332329,
  S3: -0.00019841269834414642,
  S4: 2.755729806860771e-6,
  S5: -2.5022014848318398e-8,
  nearZero: 0.126,
  // Sine and cosine within 1/256.
  sn3: -0.16666666666666488,
  sn5: 0.008333332142857223,
  cs2: 0.5,
  cs4: -0.04166666666666644,
  cs6: 0.001388888740079376,
  // Range limits: the angle itself, relative to π/2, and reduced by a multiple of π/2.
  asItIs: 0.85546875,
  fromRight: 2.42626190185546875,
  reducible: 105414352,
  // π/2 and its low part; then in four parts, three of which have so few bits that their multiples are exact.
  right: 1.5707963267948966,
  rightRest: 6.123233995736766e-17,
  part1: 1.5707963407039642,
  part2: -1.3909067564377153e-8,
  part3: -4.97899623147991e-17,
  part4: -1.9034889620193266e-25,
  perRight: 0.6366197723675814,
  // Adding and subtracting these leaves whole numbers and multiples of 1/128.
  whole: 1.5 * 2 ** 52,
  grid: 1.5 * 2 ** 45,
} as const;
