/** Quantiles 0.975 of Student's t by degrees of freedom, from 1 to 30. */
const table = [
  12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145, 2.131,
  2.12, 2.11, 2.101, 2.093, 2.086, 2.08, 2.074, 2.069, 2.064, 2.06, 2.056, 2.052, 2.048, 2.045, 2.042,
];

/** Half the width of a 95% interval, in standard errors. Beyond the table it is 1.96 and what the first terms of its series add. */
export function halfWidth(freedom: number): number {
  if (freedom < 1) return Number.NaN;
  if (freedom <= table.length) return table[Math.floor(freedom) - 1];
  const z = 1.959964;
  return z + (z ** 3 + z) / (4 * freedom) + (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * freedom ** 2);
}
