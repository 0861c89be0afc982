import { fail } from "@reins/core";

/** Throws on an operation that has no ONNX equivalent. */
export function unsupported(source: string, what: string): never {
  return fail(
    source,
    `ONNX does not support ${what}. Export a module (reins export --module act.js), or save the agent with agent.save().`,
  );
}
