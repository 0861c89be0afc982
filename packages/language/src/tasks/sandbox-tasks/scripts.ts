import { javascript } from "../../sandboxes/javascript.ts";
import { stripped, verdict } from "../answers.ts";
import type { Verification } from "../text-task.ts";

/** A one-line program as plain data: printed in prompts, run here and changed one part at a time. */
export type Expression = number | string | readonly [op: string, left: Expression, right: Expression];
export type Statement =
  | readonly ["set", name: string, op: string, to: Expression]
  | readonly ["for", name: string, below: Expression, body: readonly Statement[]]
  | readonly ["if", test: Expression, then: readonly Statement[]];
export interface Script {
  readonly body: readonly Statement[];
  readonly result: Expression;
}

const product = /[*%]/;
/** Products bind tighter than sums; sums never occur to the right of a minus here. */
function text(e: Expression, inside = false): string {
  if (typeof e !== "object") return `${e}`;
  const [op, left, right] = e;
  const tight = product.test(op);
  const out = `${text(left, tight)}${op}${text(right, tight || op === "-")}`;
  return inside && !(tight && typeof left !== "object" && typeof right !== "object" && op === "*")
    ? `(${out})`
    : out;
}

const block = (body: readonly Statement[]) => (body.length === 1 ? printed(body) : `{${printed(body)}}`);

const printed = (body: readonly Statement[]): string =>
  joined(
    body.map((s) => {
      if (s[0] === "set") return `${s[1]}${s[2]}${text(s[3])}`;
      if (s[0] === "for") return `for(${s[1]}=0;${s[1]}<${text(s[2])};${s[1]}++)${block(s[3])}`;
      return `if(${text(s[1])})${block(s[2])}`;
    }),
  );

/** A block needs no semicolon after it. */
const joined = (parts: readonly string[]) => parts.join(";").replace(/\};/g, "}");

/** The text of a script; its value is that of its last expression. */
export const script = ({ body, result }: Script): string =>
  joined([...(body.length ? [printed(body)] : []), text(result)]);

/** Larger numbers would make arithmetic, not reading programs, the difficulty. */
const largest = 9999;

/** The value of a script; undefined if a number grows too large or it takes too long. */
export function value({ body, result }: Script, x: number): number | undefined {
  const names = new Map<string, number>([["x", x]]);
  let left = 2000;
  const get = (e: Expression): number => {
    if (typeof e === "number") return e;
    if (typeof e === "string") return names.get(e) ?? Number.NaN;
    return apply(e[0], get(e[1]), get(e[2]));
  };
  const run = (list: readonly Statement[]): void => {
    for (const s of list) {
      if (left-- < 0) throw new RangeError();
      if (s[0] === "set") {
        const to = get(s[3]);
        names.set(s[1], s[2] === "=" ? to : apply(s[2][0], names.get(s[1]) ?? Number.NaN, to));
      } else if (s[0] === "if") {
        if (get(s[1])) run(s[2]);
      } else
        for (let i = 0; ; i++) {
          names.set(s[1], i);
          if (!(i < get(s[2]))) break;
          run(s[3]);
        }
    }
  };
  try {
    run(body);
    const out = get(result);
    return Math.abs(out) <= largest ? out + 0 : undefined;
  } catch {
    return undefined;
  }
}

function apply(op: string, a: number, b: number): number {
  if (op === "<" || op === ">" || op === "<=" || op === ">=" || op === "==")
    return +(op === "<" ? a < b : op === ">" ? a > b : op === "<=" ? a <= b : op === ">=" ? a >= b : a === b);
  const out = op === "+" ? a + b : op === "-" ? a - b : op === "*" ? a * b : a % b;
  if (!(Math.abs(out) <= largest)) throw new RangeError();
  return out;
}

const swaps = ["+ - *", "< <= > >=", "+= -= *="].map((set) => set.split(" "));

/** All scripts that differ in one number by up to `far` or, with `signs`, in one operator or comparison. */
export function* changes(of: Script, far = 4, signs = true): Generator<Script> {
  function* change(part: unknown): Generator<unknown> {
    if (typeof part === "number") {
      for (let n = Math.max(0, part - far); n <= part + far; n++) if (n !== part) yield n;
    } else if (typeof part === "string") {
      if (signs) for (const set of swaps) if (set.includes(part)) yield* set.filter((op) => op !== part);
    } else if (Array.isArray(part)) {
      for (let i = 0; i < part.length; i++)
        for (const other of change(part[i])) yield [...part.slice(0, i), other, ...part.slice(i + 1)];
    }
  }
  for (const [body, result] of change([of.body, of.result]) as Generator<[Statement[], Expression]>)
    yield { body, result };
}

const sandbox = javascript({ turns: 10, steps: 10_000_000 });
/** Longer answers are noise, and take time to parse. */
const longest = 1000;

/**
 * Judges a program in `name` by its values for inputs. It is parsed on its own, so that it cannot close surrounding
 * brackets.
 */
export async function judged(
  answer: string,
  name: string,
  inputs: readonly unknown[],
  expected: readonly unknown[],
): Promise<Verification> {
  const code = stripped(answer);
  if (code === "" || code.length > longest) return verdict(false, false, "Write a short program.");
  // The first input shows that the text is a program by itself; if it is an expression, a function of it is faster
  // for the others.
  const program = `$list=>{const $code=${JSON.stringify(code)};let $f;
try{$f=new Function("${name}","return(\\n"+$code+"\\n)")}catch{}
const $e=${name}=>eval($code);return $list.map(($x,$i)=>$i&&$f?$f($x):$e($x))}`;
  const { status, value, message } = await sandbox.run({ code: program, calls: [[inputs]] });
  if (status !== "ok") return verdict(false, !/SyntaxError/.test(message ?? ""), message ?? status);
  const found = (value as unknown[][])[0];
  const wrong = expected.findIndex((e, i) => JSON.stringify(e) !== JSON.stringify(found[i]));
  const why = `For ${JSON.stringify(inputs[wrong])} it is ${JSON.stringify(found[wrong])}.`;
  return verdict(wrong < 0, true, why);
}
