/**
 * The beginning of every generated WGSL text: the operations that WGSL lacks or leaves open. WGSL lets implementations assume that no
 * number is NaN or infinite and take those below the normal range for 0, so f32 is compared as integers of the same order. Division by zero and casts out of range have the
 * results of `kernel/kernel.ts`. Nothing here branches: && and || would. A function that a text does not use costs nothing.
 */
export const prelude = `\
fn number(x: f32) -> bool { return (bitcast<u32>(x) & 0x7fffffffu) <= 0x7f800000u; }
fn key(x: f32) -> i32 {
  let bits = bitcast<i32>(x);
  return select(bits, -(bits & 0x7fffffff), bits < 0);
}
fn lt_f(a: f32, b: f32) -> bool { return (key(a) < key(b)) & number(a) & number(b); }
fn le_f(a: f32, b: f32) -> bool { return (key(a) <= key(b)) & number(a) & number(b); }
fn eq_f(a: f32, b: f32) -> bool { return (key(a) == key(b)) & number(a); }
fn min_f(a: f32, b: f32) -> f32 { return select(b, a, lt_f(a, b)); }
fn max_f(a: f32, b: f32) -> f32 { return select(b, a, lt_f(b, a)); }
fn low_f(a: f32, b: f32) -> f32 { return select(b, a, lt_f(a, b) | !number(a)); }
fn high_f(a: f32, b: f32) -> f32 { return select(b, a, lt_f(b, a) | !number(a)); }
fn times_zero(x: f32, sign: u32) -> f32 {
  let bits = bitcast<u32>(x);
  return special(select((bits ^ sign) & 0x80000000u, 0x7fc00000u, (bits & 0x7f800000u) == 0x7f800000u));
}
fn special(bits: u32) -> f32 { return bitcast<f32>(bits); }
fn known_f(x: f32) -> f32 { return x; }
fn known_i(x: i32) -> i32 { return x; }
fn known_u(x: u32) -> u32 { return x; }
fn known_b(x: bool) -> bool { return x; }
fn div_i(a: i32, b: i32) -> i32 { return select(select(a / divisor(b), -a, b == -1), 0, b == 0); }
fn rem_i(a: i32, b: i32) -> i32 { return select(a % divisor(b), 0, (b == 0) | (b == -1)); }
fn divisor(b: i32) -> i32 { return select(b, 1, (b == 0) | (b == -1)); }
fn div_u(a: u32, b: u32) -> u32 { return select(a / max(b, 1u), 0u, b == 0u); }
fn rem_u(a: u32, b: u32) -> u32 { return select(a % max(b, 1u), 0u, b == 0u); }
fn f2i(x: f32) -> i32 {
  let low = select(i32(clamp(x, -2147483648.0, 2147483520.0)), -2147483648, x < -2147483648.0);
  return select(select(low, 2147483647, x >= 2147483648.0), 0, !number(x));
}
fn f2u(x: f32) -> u32 {
  let low = select(u32(clamp(x, 0.0, 4294967040.0)), 0u, x <= 0.0);
  return select(select(low, 4294967295u, x >= 4294967296.0), 0u, !number(x));
}
`;

/**
 * Words of a launch's arguments before the places: the word of the table with the length of the loop around it (0: none), the iteration,
 * `extent` and `length`.
 */
export const header = 4;

/** A word of a launch's arguments in WGSL. */
export const word = (i: number): string => `a[${i >> 2}].${"xyzw"[i & 3]}`;

/** The start of a place in bytes: its buffer's address, from the table, and its offset. */
export const place = (i: number): string => `(t[${word(i)}] + ${word(i + 1)})`;

/** Declares the arguments, the table of addresses, and one binding for each region of memory. */
export function bindings(
  words: number,
  slots: readonly Slot[],
  table: "read" | "read_write" = "read",
): string {
  return [
    `@group(0) @binding(0) var<uniform> a: array<vec4<u32>, ${Math.ceil(words / 4)}>;`,
    `@group(0) @binding(1) var<storage, ${table}> t: array<u32>;`,
    ...slots.map(
      (s, i) =>
        `@group(0) @binding(${i + 2}) var<storage, read_write> h${i}: array<${s === "atomic" ? "atomic<u32>" : "u32"}>;`,
    ),
  ].join("\n");
}

/** How a region is declared: WGSL has no bytes, so elements of one byte are changed by atomic operations on their word. */
export type Slot = "plain" | "atomic";

/** Whether a launch in a loop whose length is known at run time still has work. */
export const alive = `(${word(0)} == 0u || ${word(1)} < t[${word(0)}])`;

/** Functions that read and write a byte of the array `name`. */
export function bytes(name: string, slot: Slot): string {
  const read = slot === "atomic" ? `atomicLoad(&${name}[at >> 2u])` : `${name}[at >> 2u]`;
  const load = `fn byte_${name}(at: u32) -> u32 { return (${read} >> ((at & 3u) * 8u)) & 255u; }`;
  if (slot === "plain") return load;
  return `${load}
fn put_${name}(at: u32, value: u32) {
  let shift = (at & 3u) * 8u;
  atomicAnd(&${name}[at >> 2u], ~(255u << shift));
  atomicOr(&${name}[at >> 2u], (value & 255u) << shift);
}`;
}
