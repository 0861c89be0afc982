import { reasonOf } from "@reins/core/directory";

/** A message for errors that the user can act on; undefined for bugs, which need a stack trace. */
export function explain(error: Error): string | undefined {
  if (["ReinsError", "UsageError", "TensorError", "NnError", "BuildError", "CudaError"].includes(error.name))
    return error.message;
  if (isMemory(error))
    return `not enough memory (${error.message.split("\n")[0].replace(/\.$/, "")}). Use smaller networks (--hidden), fewer environments (--envs), a smaller batch (--batch) or a smaller replay buffer (--capacity).`;
  const reason = reasonOf(error);
  if (!reason) return undefined;
  const { path } = error as NodeJS.ErrnoException;
  const where = path === undefined || reason.what.includes(path) ? "" : `${path}: `;
  return `${where}${reason.what}. ${reason.remedy}, then try again.`;
}

/** Whether an allocation failed, in the tensor heap or in JavaScript. */
function isMemory({ name, message }: Error): boolean {
  return (
    name === "RangeError" &&
    /heap is full|more than 2³¹ - 1 elements|invalid (typed )?(array|string) length|array buffer allocation|could not allocate|out of memory/i.test(
      message,
    )
  );
}
