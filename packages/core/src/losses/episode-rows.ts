import { cast, div, eq, expandDims, gt, maximum, mul, reshape, slice, sum, type Tensor } from "@reins/tensor";

/**
 * For each row the sum over all rows of its episode, [1, rows], where some episodes have several rows, one for each segment: `numbers`,
 * [time, rows], is the column `episodeNumber`. With `own`, the sums are for the rows with these numbers. Without numbers, each row is an
 * episode.
 */
export function overEpisodes(ofRows: Tensor, numbers: Tensor | undefined, own = numbers): Tensor {
  if (!numbers || !own) return ofRows;
  const same = eq(expandDims(ofEachRow(own), 1), expandDims(ofEachRow(numbers), 0));
  return reshape(sum(mul(cast(same, "f32"), ofRows), 1), [1, own.shape[1]]);
}

/** The number of episodes with steps in the loss, from the number of such steps of each row, [1, rows]. */
export function episodeCount(lengths: Tensor, numbers: Tensor | undefined): Tensor {
  const present = cast(gt(lengths, 0), "f32");
  return numbers ? sum(div(present, maximum(overEpisodes(present, numbers), 1))) : sum(present);
}

const ofEachRow = (numbers: Tensor) => reshape(slice(numbers, [[0, 1]]), [numbers.shape[1]]);
