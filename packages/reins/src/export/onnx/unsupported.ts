import { fail } from "@reins/core";

/** Refuses an operation that ONNX has no words for. */
export function lacking(source: string, what: string): never {
  return fail(
    source,
    `it computes with ${what}, for which ONNX has no operation. Export it as a module (reins export --module act.js), or keep the agent by agent.save().`,
  );
}
