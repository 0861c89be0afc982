import { evaluate } from "./formula.ts";
import { written } from "./fraction.ts";
import { type Tool, tool } from "./tool.ts";

/** Maximum number of operands. */
const most = 64;

/** Evaluates a formula of integers exactly: `12*(3+4)`. Results that are not integers are fractions: `7/2`. */
export const calculator = (name = "calc"): Tool =>
  tool<{ formula: string }>({
    name,
    about: "Computes a formula of whole numbers with + - * / and parentheses.",
    parameters: { type: "object", properties: { formula: { type: "string" } }, required: ["formula"] },
    run({ formula }) {
      const found = evaluate(formula.replace(/\s/g, ""), most);
      if (!found) throw new Error("no formula");
      return written(found.value);
    },
  });
