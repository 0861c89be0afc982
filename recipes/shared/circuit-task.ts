import type { Generator } from "@reins/core/random";
import { type TextTask, textTask } from "@reins/language";
import { execute, inputs, judged, operators, registers, type Specification } from "./circuits.ts";

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
