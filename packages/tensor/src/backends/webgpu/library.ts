import { alive, bindings, bytes, header, place, type Slot, word } from "./prelude.ts";
import { usualSize } from "./shape.ts";

/** Words of the arguments of `copyText`: two places and the number of bytes. */
export const copyWords = header + 5;

/** Copies bytes; `slots` are the regions of source and destination. Whole words of the destination are written at once. */
export function copyText(slots: readonly number[]): string {
  const [from, to] = slots;
  const kinds = Array.from(
    { length: Math.max(from, to) + 1 },
    (_, i): Slot => (i === to ? "atomic" : "plain"),
  );
  const [x, y] = [header, header + 2];
  return `${bindings(copyWords, kinds)}
${[...new Set(slots)].map((s) => bytes(`h${s}`, kinds[s])).join("\n")}
@compute @workgroup_size(${usualSize}) fn main(@builtin(workgroup_id) block: vec3<u32>, @builtin(num_workgroups) blocks: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
if (!${alive}) { return; }
let source = ${place(x)}; let target_ = ${place(y)}; let count = ${word(header + 4)};
let step = blocks.x * ${usualSize}u;
if (((source | target_ | count) & 3u) == 0u) {
  for (var i = block.x * ${usualSize}u + thread; i < (count >> 2u); i += step) {
    let value = ${kinds[from] === "atomic" ? `atomicLoad(&h${from}[(source >> 2u) + i])` : `h${from}[(source >> 2u) + i]`};
    atomicStore(&h${to}[(target_ >> 2u) + i], value);
  }
} else {
  for (var i = block.x * ${usualSize}u + thread; i < count; i += step) {
    put_h${to}(target_ + i, byte_h${from}(source + i));
  }
}
}
`;
}

/** Words of the arguments of `lengthText`: a place, the largest length, and the word of the table that gets it. */
export const lengthWords = header + 4;

/** Reads the number of iterations of a loop when it begins: 0 where the loop around it has ended. */
export const lengthText = (): string => `${bindings(lengthWords, ["plain"], "read_write")}
@compute @workgroup_size(1) fn main() {
var count = 0;
if (${alive}) { count = bitcast<i32>(h0[${place(header)} >> 2u]); }
t[${word(header + 3)}] = u32(clamp(count, 0, i32(${word(header + 2)})));
}
`;
