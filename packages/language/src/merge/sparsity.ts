/** Sets all but the share `density` of the elements with the largest magnitude to 0; of equal ones the first stay (TIES, Yadav et al., 2023). */
export function keepLargest(x: Float32Array, density: number): void {
  const keep = Math.round(density * x.length);
  if (keep >= x.length) return;
  const magnitudes = x.map(Math.abs).sort();
  const least = keep === 0 ? Number.POSITIVE_INFINITY : magnitudes[x.length - keep];
  let above = 0;
  for (const m of x) if (Math.abs(m) > least) above++;
  // Elements that are equal to the least one fill the rest.
  let equal = keep - above;
  for (let i = 0; i < x.length; i++) {
    const m = Math.abs(x[i]);
    if (m > least || (m === least && equal-- > 0)) continue;
    x[i] = 0;
  }
}

/** Keeps each element with probability `density`, divided by it, and sets the others to 0 (DARE, Yu et al., 2024). */
export function keepRandom(x: Float32Array, density: number, seed: number): void {
  if (density >= 1) return;
  const [low, high] = [seed >>> 0, Math.floor(seed / 2 ** 32)];
  for (let i = 0; i < x.length; i++) {
    const chance = mixed(mixed(i ^ low) ^ high) / 2 ** 32;
    x[i] = chance < density ? x[i] / density : 0;
  }
}

/** A bijection of 32-bit integers whose results look random. */
function mixed(n: number): number {
  let h = Math.imul(n ^ (n >>> 16), 0x21f0aaad);
  h = Math.imul(h ^ (h >>> 15), 0x735a2d97);
  return (h ^ (h >>> 15)) >>> 0;
}
