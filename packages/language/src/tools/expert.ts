import { type Tool, type ToolContext, tool } from "./tool.ts";

/** An expert that knows the answer and has a cost per call. */
export function expert<S = unknown>(
  answer: (question: string, context: ToolContext<S>) => unknown,
  { price = 0.1, name = "ask", about = "Asks an expert, at a price." } = {},
): Tool<never, S> {
  return tool<{ question: string }, S>({
    name,
    about,
    price,
    parameters: { type: "object", properties: { question: { type: "string" } }, required: ["question"] },
    run: ({ question }, context) => answer(question, context),
  });
}
