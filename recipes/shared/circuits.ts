/** Inputs of a program. Their 16 combinations are its tests. */
export const inputs = [..."abcd"];
/** Registers, in the order in which statements write them. */
export const registers = [..."pqrstuvwxyz"];
/** And, or, exclusive or, and not. */
export const operators = [..."&|^>"];

/** An input as its values in the 16 tests, one bit each. */
const columns = [0xaaaa, 0xcccc, 0xf0f0, 0xff00];
const all = 0xffff;
const tests = 16;

/** A statement such as `&ap`: an operator and two operands, which are inputs or registers. It writes the next register. */
export interface Statement {
  readonly text: string;
  /** Place of its first character in the program. */
  readonly from: number;
}

/** The result of compiling and running a program. */
export interface Execution {
  /** Where it stops: not at all, or at a statement that does not compile, or that reads a register before it is written. */
  readonly failure?: "compile" | "runtime";
  /** Characters of the statement where it stops, from the first to the one after the last. */
  readonly at?: readonly [from: number, to: number];
  /** The statements that compile. */
  readonly statements: readonly Statement[];
  /** Output of the last statement in each test, one bit each; 0 of a program that fails. */
  readonly output: number;
}

const form = /^[&|^>][a-dp-z]{2}/;

/** Compiles and runs a program. It never throws. */
export function execute(program: string): Execution {
  const statements: Statement[] = [];
  for (let from = 0; from < program.length || from === 0; ) {
    const [text] = form.exec(program.slice(from)) ?? [];
    if (text === undefined)
      return { failure: "compile", at: [from, lineEnd(program, from)], statements, output: 0 };
    statements.push({ text, from });
    from += text.length;
  }
  const written: number[] = [];
  for (const { text, from } of statements) {
    const [x, y] = [...text.slice(1)].map((name) =>
      inputs.includes(name) ? columns[inputs.indexOf(name)] : written[registers.indexOf(name)],
    );
    if (x === undefined || y === undefined || written.length === registers.length)
      return { failure: "runtime", at: [from, from + text.length], statements, output: 0 };
    written.push(applied(text[0], x, y));
  }
  return { statements, output: written[written.length - 1] };
}

/** The end of a line that does not compile: where the next statement begins. */
function lineEnd(program: string, from: number): number {
  const next = [...program].findIndex((c, i) => i > from && operators.includes(c));
  return next < 0 ? program.length : next;
}

function applied(operator: string, x: number, y: number): number {
  switch (operator) {
    case "&":
      return x & y;
    case "|":
      return x | y;
    case "^":
      return x ^ y;
    default:
      return x & ~y;
  }
}

/** Share of the tests in which an output is the wanted one. */
export function passed(output: number, wanted: number): number {
  let wrong = 0;
  for (let rest = (output ^ wanted) & all; rest > 0; rest &= rest - 1) wrong++;
  return 1 - wrong / tests;
}

/** A problem's data: the hidden tests and a reference program. */
export interface Specification {
  /** Wanted output in each test, one bit each. */
  readonly wanted: number;
  /** A program with a statement for each step. */
  readonly reference: string;
  /** Number of steps that the output depends on. */
  readonly needed: number;
}

/** A program's verdict. */
export interface Outcome extends Execution {
  /** Share of the tests that it passes; 0 of a program that fails. */
  readonly passed: number;
  readonly right: boolean;
}

/** Compiles, runs and tests a program. */
export function judged(program: string, { wanted }: Specification): Outcome {
  const execution = execute(program);
  const share = execution.failure ? 0 : passed(execution.output, wanted);
  return { ...execution, passed: share, right: share === 1 };
}
