import type { GemmStep } from "../../kernel/program.ts";
import type { ModuleBuilder } from "./assembler.ts";
import { emitBlocks } from "./blocks.ts";
import { emitDot } from "./dot.ts";
import type { Functions } from "./functions.ts";
import type { GemmOptions } from "./product.ts";
import { gemmSignature, simplify } from "./product.ts";

/** A product's function, the number of work items that threads share, and the workspace per thread. */
export interface GemmFunction {
  readonly index: number;
  readonly items: number;
  readonly workspace: number;
}

/** Writes a product: a function that loops over the batch and calls the function of one matrix. */
export function emitGemm(
  module: ModuleBuilder,
  step: GemmStep,
  functions: Functions,
  options: GemmOptions,
): GemmFunction {
  const product = simplify(step);
  const block =
    product.order === "lanes"
      ? emitDot(module, functions, product, options.relaxed)
      : emitBlocks(module, functions, product, options);
  const { index, code } = module.function(gemmSignature);
  const [a, b, c, bias, workspace, begin, end] = [0, 1, 2, 3, 4, 5, 6];
  const [from, to, rest] = [code.local("i32"), code.local("i32"), code.local("i32")];
  const pointers = [code.local("i32"), code.local("i32"), code.local("i32")];
  const batches = product.batch.reduce((total, d) => total * d.extent, 1);
  const sources = product.exchanged ? [b, a, c] : [a, b, c];

  // The groups inside the range, for each batch that the range touches.
  code.block().get(begin).get(end).op("i32.ge_s").brIf(0).loop();
  code.get(begin).i32(block.groups).op("i32.rem_u").set(from);
  code
    .get(from)
    .get(end)
    .op("i32.add")
    .get(begin)
    .op("i32.sub")
    .tee(to)
    .i32(block.groups)
    .get(to)
    .i32(block.groups)
    .op("i32.lt_s")
    .op("select")
    .set(to);
  code.get(begin).i32(block.groups).op("i32.div_u").set(rest);
  for (const [i, source] of sources.entries()) code.get(source).set(pointers[i]);
  for (let d = product.batch.length - 1; d >= 0; d--) {
    const { extent, a: sa, b: sb, c: sc } = product.batch[d];
    [sa, sb, sc].forEach((stride, i) => {
      if (stride === 0) return;
      code.get(rest);
      if (d > 0) code.i32(extent).op("i32.rem_u");
      code
        .i32(4 * stride)
        .op("i32.mul")
        .get(pointers[i])
        .op("i32.add")
        .set(pointers[i]);
    });
    if (d > 0) code.get(rest).i32(extent).op("i32.div_u").set(rest);
  }
  for (const pointer of pointers) code.get(pointer);
  code.get(bias).get(workspace).get(from).get(to).call(block.index);
  code
    .get(begin)
    .get(to)
    .op("i32.add")
    .get(from)
    .op("i32.sub")
    .tee(begin)
    .get(end)
    .op("i32.lt_s")
    .brIf(0)
    .op("end")
    .op("end");
  return { index, items: batches * block.groups, workspace: block.workspace };
}
