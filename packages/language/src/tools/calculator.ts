import { evaluate } from "../tasks/numbers/formula.ts";
import { written } from "../tasks/numbers/fraction.ts";
import { type Tool, tool } from "./tool.ts";

/** Most numbers of a formula. */
const most = 64;

/** Computes a formula of whole numbers exactly: `12*(3+4)`. What is no whole number is a fraction: `7/2`. */
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
