import { add, compile, matmul, type Tensor, tensor, transpose } from "@reins/tensor";
import { bitsOf } from "../../tensor/dist/testing/compare.js";
import type { Section } from "./section.ts";

const matrix = (rows: number, columns: number, seed: number) =>
  tensor(
    Float32Array.from({ length: rows * columns }, (_, i) => (((i + seed) * 2654435761) % 4093) / 2048 - 1),
    { shape: [rows, columns] },
  );

/** Products in tiles of every size, plain and transposed, with sizes that do not divide by the tiles. */
export const products: Section = {
  name: "products",
  *rows({ peer, large }) {
    const sizes = large
      ? [
          [1500, 1100, 1700],
          [1000, 333, 1030],
          [300, 2000, 70],
          [37, 129, 4001],
          [4, 512, 5000],
        ]
      : [
          [1420, 19, 1500],
          [530, 33, 1030],
          [70, 35, 40],
        ];
    for (const [m, k, n] of sizes) {
      const inputs = [matrix(m, k, 1), matrix(k, n, 2), matrix(k, m, 3), matrix(n, k, 4), matrix(1, n, 5)];
      const f = (a: Tensor, b: Tensor, c: Tensor, d: Tensor, bias: Tensor) => [
        matmul(a, b),
        add(matmul(transpose(c), b), bias),
        matmul(a, transpose(d)),
        matmul(transpose(c), transpose(d)),
      ];
      const [got, want] = (["cuda", peer] as const).map((backend) =>
        compile(f, { backend })(...(inputs as [Tensor, Tensor, Tensor, Tensor, Tensor])).map((t) =>
          Array.from(bitsOf(t)),
        ),
      );
      const bad = want.flatMap((bits, i) => (bits.every((b, j) => b === got[i][j]) ? [] : [i]));
      yield {
        what: `products ${m}×${k}·${k}×${n}`,
        result: bad.length ? `differ: ${bad.join(", ")}` : `equal to ${peer}`,
        failed: bad.length > 0,
      };
    }
  },
};
