import { leaves } from "@reins/tensor";
import type { Size } from "./benchmarks.ts";
import { type Placement, workload } from "./workload.ts";

/** Runs the small size on the backend and on the reference; returns the difference, if any. */
export function differsFromReference(name: string, size: Size, placement: Placement): string | undefined {
  const [ours, reference] = [placement, { backend: "reference", threads: 1 } as const].map((p) =>
    workload(name, size, p),
  );
  for (let step = 1; step <= 3; step++) {
    ours.run();
    reference.run();
  }
  const [a, b] = [leaves(ours.results), leaves(reference.results)];
  for (let i = 0; i < a.length; i++) {
    const [got, wanted] = [a[i].data, b[i].data];
    let scale = 0;
    for (const x of wanted) scale = Math.max(scale, Math.abs(x));
    for (let k = 0; k < wanted.length; k++) {
      // Not `>`: a NaN must fail too.
      if (!(Math.abs(got[k] - wanted[k]) <= 1e-3 * scale + 1e-7)) {
        return `element ${k} of result ${i} is ${got[k]}, but ${wanted[k]} on the reference backend (${name}, small size, ${placement.backend})`;
      }
    }
  }
  return undefined;
}

/** Compares the first values of two sides at full size. */
export function differsFromPeer(
  ours: readonly number[],
  peer: readonly number[],
  tolerance: number,
): string | undefined {
  const i = peer.findIndex(
    (wanted, k) => !(Math.abs(ours[k] - wanted) <= tolerance * Math.max(1, Math.abs(wanted))),
  );
  return i < 0 ? undefined : `value ${i} is ${ours[i]}, but ${peer[i]} on the peer`;
}
