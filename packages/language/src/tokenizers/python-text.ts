import { Template } from "@huggingface/jinja";

/** A node of a parsed template. */
interface Node {
  type: string;
  [field: string]: unknown;
}

/** A value in the library's form. */
interface RuntimeValue {
  readonly type: string;
  readonly value: unknown;
}

// No template can write these names.
const [strip, textOf] = ["python strip", "python text"];

/** The functions that a template of {@link pythonTemplate} calls. */
export const pythonFunctions = { [strip]: stripped, [textOf]: pythonText };

/**
 * A template that renders as in Python where the library does not: `strip`, `lstrip` and `rstrip` with the characters to
 * remove, and booleans, lists and mappings as text.
 */
export function pythonTemplate(text: string): Template {
  const template = new Template(text);
  rewrite(template.parsed as unknown as Node);
  return template;
}

/** Nodes whose text is the same in Python. */
const unchanged = new Set(["StringLiteral", "IntegerLiteral", "FloatLiteral", "Comment"]);
/** Operators of numbers. Only the library knows whether a whole number is written with ".0". */
const arithmetic = new Set(["+", "-", "*", "/", "//", "%", "**"]);
const statements = new Set(["If", "For", "Set", "Macro", "CallStatement", "FilterStatement"]);
const jumps = new Set(["Break", "Continue"]);
/** Fields of statements with nodes whose values become text. */
const blocks = ["body", "alternate", "defaultBlock"];

const call = (name: string, ...args: unknown[]): Node => ({
  type: "CallExpression",
  callee: { type: "Identifier", value: name },
  args,
});

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as Node).type === "string";

const isUnchanged = ({ type, operator }: Node): boolean =>
  unchanged.has(type) || (type === "BinaryExpression" && arithmetic.has(String((operator as Node).value)));

const isStatement = ({ type }: Node): boolean => statements.has(type) || jumps.has(type);

function rewrite(node: Node): void {
  const isBlock = node.type === "Program" || statements.has(node.type);
  for (const [field, value] of Object.entries(node)) {
    if (Array.isArray(value)) {
      value.forEach((child: unknown, i) => {
        if (!isNode(child)) return;
        const printed = isBlock && blocks.includes(field) && !isStatement(child) && !isUnchanged(child);
        value[i] = printed ? call(textOf, rewritten(child)) : rewritten(child);
      });
    } else if (isNode(value)) node[field] = rewritten(value);
  }
}

function rewritten(node: Node): Node {
  rewrite(node);
  const { type, callee, args, operator, filter, left, right, operand } = node;
  if (type === "CallExpression" && isNode(callee) && callee.type === "MemberExpression") {
    const { object, property, computed } = callee as Node & { readonly property: Node };
    const method = String(property.value);
    const isStrip = !computed && ["strip", "lstrip", "rstrip"].includes(method);
    if (isStrip && (args as Node[]).length === 1)
      return call(strip, object, ...(args as Node[]), { type: "StringLiteral", value: method });
  }
  if (type === "BinaryExpression" && (operator as Node).value === "~")
    return { ...node, left: call(textOf, left), right: call(textOf, right) };
  if (type === "FilterExpression" && isNode(filter) && filter.value === "string")
    return { ...node, operand: call(textOf, operand) };
  return node;
}

/** A text without the characters of `own` at its ends, as the method `strip`, `lstrip` or `rstrip` of Python. */
function stripped(text: unknown, own: unknown, method: unknown): string {
  if (typeof text !== "string") throw new Error(`${method} needs a text.`);
  const all = [...text];
  const isOwn = typeof own === "string" ? (c: string) => own.includes(c) : (c: string) => c.trim() === "";
  let [from, to] = [0, all.length];
  if (method !== "rstrip") while (from < to && isOwn(all[from])) from++;
  if (method !== "lstrip") while (to > from && isOwn(all[to - 1])) to--;
  return all.slice(from, to).join("");
}

/** The text of a value in Python; numbers, texts and missing values are left to the library. */
function pythonText(value: unknown): unknown {
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return `[${value.map(spelled).join(", ")}]`;
  return value instanceof Map ? mappingText(value) : value;
}

const mappingText = (members: ReadonlyMap<string, RuntimeValue>): string =>
  `{${[...members].map(([name, value]) => `${quoted(name)}: ${spelled(value)}`).join(", ")}}`;

/** A value within a list or a mapping, as `repr` writes it. */
function spelled({ type, value }: RuntimeValue): string {
  if (type === "NullValue" || type === "UndefinedValue") return "None";
  if (typeof value === "string") return quoted(value);
  if (typeof value !== "number") return String(pythonText(value));
  const text = String(value).replace(/e([+-])(\d)$/, "e$10$2");
  return type === "FloatValue" && Number.isInteger(value) && !text.includes("e") ? `${text}.0` : text;
}

const escapes: { readonly [character: string]: string } = {
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\\": "\\\\",
};

function quoted(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are escaped.
  const written = text.replace(/[\\\u0000-\u001f\u007f]|'/g, (c) => {
    if (c === "'") return quote === "'" ? "\\'" : c;
    return escapes[c] ?? `\\x${c.charCodeAt(0).toString(16).padStart(2, "0")}`;
  });
  return quote + written + quote;
}
