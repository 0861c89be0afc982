import type { Algebra } from "./algebra.ts";
import { tools } from "./functions.ts";

/**
 * The remainder of f32 with the sign of the divisor, as in Python: exact while the quotient is below 2²⁴. For larger quotients
 * the remainder has no significant bits: 0.
 */
export function remainder<V>(a: Algebra<V>, x: V, y: V): V {
  const { f, add, sub, mul, div, lt, eq, select } = tools(a);
  const abs = (v: V) => a.op("f32", "abs", v);
  const q = a.op("f32", "floor", div(x, y));
  const product = mul(q, y);
  // The rounding error of the product (Dekker, 1971): numbers are split into halves, whose products are exact.
  const split = (v: V) => {
    const t = mul(v, f(4097));
    const high = sub(t, sub(t, v));
    return { high, low: sub(v, high) };
  };
  const [u, v] = [split(q), split(y)];
  const rest = add(
    add(add(sub(mul(u.high, v.high), product), mul(u.high, v.low)), mul(u.low, v.high)),
    mul(u.low, v.low),
  );
  const left = sub(x, product);
  const exact = select(lt(abs(y), f(1e34)), sub(left, rest), left);
  const near = select(lt(abs(q), f(2 ** 24)), exact, mul(q, f(0)));
  const r = select(eq(q, f(0)), x, near);
  // The quotient may have been rounded up to the next integer.
  const isWrong = a.op(
    "bool",
    "and",
    a.op("f32", "ne", r, f(0)),
    a.op("bool", "ne", lt(r, f(0)), lt(y, f(0))),
  );
  return select(isWrong, add(r, y), r);
}
