import { Tensor, type Tree } from "@reins/tensor";
import { fail } from "./errors.ts";

/** The tensors of a tree by their path, "layers.0.weight", as used in safetensors files and messages. */
export function flattenNames(tree: Tree): Map<string, Tensor> {
  const out = new Map<string, Tensor>();
  const visit = (t: Tree, path: string) => {
    if (t === undefined || t === null) return;
    if (t instanceof Tensor) {
      if (out.has(path))
        fail(
          "flattenNames",
          `two tensors have the name "${path}": a name with a dot in it collides with a nested one.`,
        );
      out.set(path, t);
      return;
    }
    for (const [name, part] of Object.entries(t)) visit(part as Tree, path ? `${path}.${name}` : name);
  };
  visit(tree, "");
  return out;
}

/** The inverse of {@link flattenNames}. Parts numbered from 0 without gaps become a list. */
export function unflattenNames(tensors: Iterable<readonly [string, Tensor]>): Tree {
  type Branch = { [name: string]: Branch | Tensor };
  const root: Branch = Object.create(null);
  for (const [name, t] of tensors) {
    if (name === "") return t;
    const parts = name.split(".");
    let at = root;
    for (const part of parts.slice(0, -1)) {
      const next = (at[part] ??= Object.create(null) as Branch);
      if (next instanceof Tensor)
        fail("unflattenNames", `"${name}" is nested in a tensor: "${part}" is a tensor already.`);
      at = next;
    }
    const last = parts[parts.length - 1];
    if (at[last] !== undefined)
      fail("unflattenNames", `"${name}" is named twice, or is both a tensor and a group.`);
    at[last] = t;
  }
  const build = (b: Branch | Tensor): Tree => {
    if (b instanceof Tensor) return b;
    const names = Object.keys(b);
    const list = names.length > 0 && names.every((_, i) => b[i] !== undefined);
    return list ? names.map((_, i) => build(b[i])) : Object.fromEntries(names.map((n) => [n, build(b[n])]));
  };
  return build(root);
}

/** The tensors of `named` in the nesting of `like`. Missing, extra and mismatched tensors are errors. */
export function fillTree<T extends Tree>(
  like: T,
  named: ReadonlyMap<string, Tensor>,
  source = "the file",
): T {
  const wanted = flattenNames(like);
  for (const [name, t] of wanted) {
    const found = named.get(name);
    if (!found)
      fail(
        "fillTree",
        `${source} has no tensor "${name}". It has: ${[...named.keys()].slice(0, 8).join(", ")}${named.size > 8 ? ", …" : ""}.`,
      );
    if (found.shape.join() !== t.shape.join() || found.dtype !== t.dtype) {
      fail(
        "fillTree",
        `${source} has "${name}" as ${found.dtype}[${found.shape.join(", ")}]; expected ${t.dtype}[${t.shape.join(", ")}].`,
      );
    }
  }
  const extra = [...named.keys()].filter((n) => !wanted.has(n));
  if (extra.length)
    fail("fillTree", `${source} has ${extra.length} unexpected tensors: ${extra.slice(0, 8).join(", ")}.`);
  const visit = (t: Tree, path: string): Tree => {
    if (t === undefined || t === null) return t;
    if (t instanceof Tensor) return named.get(path);
    if (Array.isArray(t)) return t.map((p, i) => visit(p as Tree, path ? `${path}.${i}` : String(i)));
    return Object.fromEntries(
      Object.entries(t).map(([n, p]) => [n, visit(p as Tree, path ? `${path}.${n}` : n)]),
    );
  };
  return visit(like, "") as T;
}
