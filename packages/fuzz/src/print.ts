import {
  type Arg,
  type Block,
  type Input,
  isRef,
  type Node,
  type Program,
  transformations,
} from "./program.ts";

const name = (id: number) => `v${id}`;

export function number(v: number): string {
  if (Number.isNaN(v)) return "Number.NaN";
  if (v === Infinity) return "Infinity";
  if (v === -Infinity) return "-Infinity";
  return Object.is(v, -0) ? "-0" : String(v);
}

function show(a: Arg): string {
  if (isRef(a)) return name(a.$);
  if (typeof a === "number") return number(a);
  if (typeof a === "string") return JSON.stringify(a);
  if (typeof a !== "object" || a === null) return a === null ? "null" : String(a);
  if (Array.isArray(a)) return `[${a.map(show).join(", ")}]`;
  const entries = Object.entries(a);
  return entries.length ? `{ ${entries.map(([k, v]) => `${k}: ${show(v)}`).join(", ")} }` : "{}";
}

/** The type of a pattern of values. */
function typeOf(a: Arg): string {
  if (isRef(a)) return "Tensor";
  if (Array.isArray(a)) return `[${a.map(typeOf).join(", ")}]`;
  if (a === null) return "undefined";
  const entries = Object.entries(a as Record<string, Arg>);
  return `{ ${entries.map(([k, v]) => `${k}: ${typeOf(v)}`).join("; ")} }`;
}

/** A parameter with its type, so that the function can be pasted into strict code. */
const parameter = (p: Arg) => (p === null ? "_: undefined" : `${show(p)}: ${typeOf(p)}`);

function arrow(b: Block, indent: string): string {
  const inner = `${indent}  `;
  const head = `(${b.params.map(parameter).join(", ")})`;
  if (!b.nodes.length) return `${head} => ${show(b.result)}`;
  return `${head} => {\n${lines(b.nodes, inner)}\n${inner}return ${show(b.result)};\n${indent}}`;
}

function expression(n: Node, indent: string): string {
  const args = n.args.map(show);
  if (!transformations[n.op]) {
    if (!n.method) return `o.${n.op}(${args.join(", ")})`;
    return `${args[0]}.${n.op}(${args.slice(1).join(", ")})`;
  }
  const fs = (n.blocks ?? []).map((b) => arrow(b, indent));
  switch (n.op) {
    case "scan":
      return `o.scan(${fs[0]}, ${args[0]}, ${args[1] === "null" ? "undefined" : args[1]}, ${args[2]})`;
    case "vmap":
      return `o.vmap(${fs[0]}, ${args[args.length - 1]})(${args.slice(0, -1).join(", ")})`;
    case "gradient":
      return `o.valueAndGradient((own: Tensor[]) => {
${indent}  const gs = o.gradient((${fs[0]})(own as ${typeOf(n.blocks![0].params[0])}), own);
${indent}  return [gs.map((g) => o.sum(o.mul(g, 0.5))).reduce((a, b) => o.add(a, b)), gs] as const;
${indent}})(${args[0]})`;
    case "treeMap":
      return `o.treeMap(${fs[0]}, ${args.join(", ")})`;
    case "compile":
      return `o.compile(${fs[0]}, { backend: "reference" })(${args.join(", ")})`;
    default:
      return `o.${n.op}(${fs.join(", ")})(${args.join(", ")})`;
  }
}

function lines(nodes: readonly Node[], indent: string): string {
  return nodes
    .map((n) => {
      const value = expression(n, indent);
      if (n.outs.length === 1 && n.outs[0].path === "")
        return `${indent}const ${name(n.outs[0].id)} = ${value};`;
      const whole = `r${n.outs[0]?.id ?? 0}`;
      const parts = n.outs.map(
        ({ id, path }) =>
          `\n${indent}const ${name(id)} = ${whole}${path
            .split(".")
            .filter(Boolean)
            .map((k) => (/^\d+$/.test(k) ? `[${k}]` : `.${k}`))
            .join("")};`,
      );
      return `${indent}const ${whole} = ${value};${parts.join("")}`;
    })
    .join("\n");
}

const literal = (i: Input, moment: number) => {
  const values = i.values[moment];
  const repeated = values.length > 8 && values.every((v) => Object.is(v, values[0]));
  const list = repeated
    ? `new Array(${values.length}).fill(${number(values[0])})`
    : `[${values.map(number).join(", ")}]`;
  return `o.tensor(${list}, { shape: [${i.shape.join(", ")}], dtype: "${i.dtype}" })`;
};

/** How the program is run. */
export interface Setting {
  readonly backend: string;
  readonly threads?: number;
  readonly donate?: boolean;
  readonly bound?: boolean;
}

/** A test for the compiler: inputs as literals, the function, and the comparison with one operation at a time. */
export function printTest(p: Program, setting: Setting, title: string): string {
  const of = (role: Input["role"]) => p.inputs.filter((i) => i.role === role);
  const [state, xs, captures] = [of("state"), of("argument"), of("capture")];
  const list = (is: readonly Input[]) => `[${is.map((i) => name(i.id)).join(", ")}]`;
  const make = (is: readonly Input[], m: number) =>
    `[${is.map((i) => `\n    ${literal(i, m)},`).join("")}${is.length ? "\n  " : ""}]`;
  const body = `${lines(p.nodes, "    ")}
    return { state: [${state.map((i) => name(i.next!)).join(", ")}], others: [${p.outputs.map(name).join(", ")}] };`;
  const options = [
    `backend: "${setting.backend}"`,
    ...(setting.threads ? [`threads: ${setting.threads}`] : []),
    ...(setting.donate ? ["donate: [0]"] : []),
  ].join(", ");
  return `it(${JSON.stringify(title)}, () => {
  // seed ${p.seed}, program ${p.index}
${captures.map((i) => `  const ${name(i.id)} = ${literal(i, 0)};\n`).join("")}  const run = (${list(state)}: Tensor[], ${list(xs)}: Tensor[]) => {
${body}
  };
  const state = () => ${make(state, 0)};
  const xs = ${make(xs, 0)};
  const want = run(state(), xs);
  const f = o.compile(run, { ${options} });
${setting.bound ? "  const bound = f.bind(state(), xs);\n  bound.run();\n  const got = bound.result;" : "  const got = f(state(), xs);"}
  want.state.forEach((t, i) => expectSameBits(\`state \${i}\`, got.state[i], t));
  want.others.forEach((t, i) => expectSameBits(\`result \${i}\`, got.others[i], t));
});`;
}
