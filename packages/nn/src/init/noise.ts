import { compile, random, reshape, type Shape, slice, type Tensor, tensor } from "@reins/tensor";

const draws = {
  normal: random.normal,
  uniform: (key: Tensor, shape: Shape) => random.uniform(key, shape),
  truncated: (key: Tensor, shape: Shape) => random.truncatedNormal(key, shape),
};

const compiled = new Map<string, (key: Tensor) => Tensor>();

/**
 * Random numbers for parameters: the same as those of `random.normal` and others, but always compiled, because a network has
 * millions of initial weights and an eager random number takes 60 µs. Numbers depend only on the key and their position, so that
 * a few sizes serve all shapes. Compiled to WebAssembly, which compiles fastest.
 */
export function noise(kind: keyof typeof draws, key: Tensor, shape: Shape): Tensor {
  if (key.node) return draws[kind](key, shape);
  const count = shape.reduce((n, d) => n * d, 1);
  let capacity = 256;
  while (capacity < count) capacity *= 4;
  const name = `${kind} ${capacity}`;
  let draw = compiled.get(name);
  if (!draw)
    compiled.set(
      name,
      (draw = compile((k: Tensor) => draws[kind](k, [capacity]), {
        backend: "wasm",
        threads: 1,
        name: `noise ${name}`,
      })),
    );
  const all = draw(key);
  // A concrete key inside a traced function: the numbers become constants of the trace.
  return all.node ? reshape(slice(all, [[0, count]]), shape) : tensor(all.data.slice(0, count), { shape });
}
