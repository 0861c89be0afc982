import type { Generator } from "@reins/core/random";
import { type TextTask, textTask } from "@reins/language";

/** Inputs of a program. Their 16 combinations are its tests. */
export const inputs = [..."abcd"];
/** Registers, in the order in which statements write them. */
export const registers = [..."pqrstuvwxyz"];
/** And, or, exclusive or, and not. */
export const operators = [..."&|^>"];

/** An input as its values in the 16 tests, one bit each. */
const columns = [0xaaaa, 0xcccc, 0xf0f0, 0xff00];
const all = 0xffff;
export const tests = 16;

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

/** How a teacher programs. */
export interface Teacher {
  /** Share of statements with an error: another operator, another operand, a register that is not written yet, or an operator in place of an operand. */
  readonly slips: number;
  /** Share of programs without statements whose result is never read. */
  readonly lean: number;
}

/** A step of a description: an operator, the steps back to its first operand (0 for an input), and its operands. */
interface Step {
  readonly operator: string;
  readonly from: number;
  readonly operands: readonly [string, string];
}

/** First operands of a description that stand for the result of the previous step, and of the one before. */
const back = ["", "<", "-"];
const most = 5;

/** A program with a statement for each of the steps `kept`. */
function programOf(steps: readonly Step[], kept: readonly number[]): string[] {
  return kept.map((i) => {
    const { operator, from, operands } = steps[i];
    return operator + (from ? registers[kept.indexOf(i - from)] : operands[0]) + operands[1];
  });
}

/** The steps that the last one depends on. */
function needed(steps: readonly Step[]): number[] {
  const out: number[] = [];
  for (let i = steps.length - 1; i >= 0; i = steps[i].from ? i - steps[i].from : -1) out.unshift(i);
  return out;
}

/**
 * Descriptions to be compiled to programs: two steps at level 1, one more at each level. A step has an operator and two operands, of which
 * the first is an earlier result: `&ab|<c^-d` is a and b, then that or c, and last the result of the first step, exclusive or d. Programs
 * name registers instead. The second step of the example is not needed.
 */
export const circuits = ({ slips, lean }: Teacher): TextTask<Specification> =>
  textTask<Specification>({
    id: "circuits",
    about: "Write a program for a description of a circuit.",
    levels: most - 1,
    alphabet: `${inputs.join("")}${registers.join("")}${operators.join("")}${back.join("")}.=`,
    longest: { prompt: 3 * most + 1, answer: 3 * most + 3 },
    make(random, level) {
      const steps = Array.from(
        { length: level + 1 },
        (_, i): Step => ({
          operator: random.choice(operators),
          from: i === 0 ? 0 : i > 1 && random.random() < 0.3 ? 2 : 1,
          operands: [random.choice(inputs), random.choice(inputs)],
        }),
      );
      const text = steps.map(({ operator, from, operands: [x, y] }) => operator + (back[from] || x) + y);
      const [shortest, every] = [needed(steps), steps.map((_, i) => i)];
      const program = programOf(steps, random.random() < lean ? shortest : every);
      const answer = program.map((s, i) => (random.random() < slips ? slip(random, s, i) : s));
      const reference = programOf(steps, every).join("");
      return {
        prompt: `${text.join("").padEnd(3 * most, ".")}=`,
        answer: answer.join(""),
        data: { reference, needed: shortest.length, wanted: execute(reference).output },
      };
    },
    verify({ data }, answer) {
      const { failure, passed, right, statements } = judged(answer, data);
      return {
        score: passed,
        terms: {
          compile: Number(failure === "compile"),
          runtime: Number(failure === "runtime"),
          partly: Number(passed > 0 && passed < 1),
          lean: right ? data.needed / statements.length : 0,
        },
      };
    },
  });

/** A statement with an error. It writes register `i`. */
function slip(random: Generator, [operator, x, y]: string, i: number): string {
  switch (random.integers(4)) {
    case 0:
      return random.choice(operators.filter((o) => o !== operator)) + x + y;
    case 1:
      return operator + x + random.choice(inputs.filter((name) => name !== y));
    case 2:
      return operator + registers[i] + y;
    default:
      return operator + x + operator;
  }
}
