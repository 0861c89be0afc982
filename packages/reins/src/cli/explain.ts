import { reasonOf } from "@reins/core/directory";

/** What an error means to somebody who typed a command; undefined for a bug, of which the place matters. */
export function explain(error: Error): string | undefined {
  if (["ReinsError", "UsageError", "TensorError", "NnError"].includes(error.name)) return error.message;
  if (isMemory(error))
    return `there is not enough memory (${error.message.split("\n")[0].replace(/\.$/, "")}). Choose smaller sizes: networks (--hidden), environments at once (--envs), batches (--batch) or what is remembered (--capacity).`;
  const reason = reasonOf(error);
  if (!reason) return undefined;
  const { path, code } = error as NodeJS.ErrnoException;
  const where = path === undefined || reason.what.includes(path) ? "" : `${path}: `;
  return code === "ENOENT"
    ? `${where}there is no such file or folder. Check the path.`
    : `${where}${reason.what}. ${reason.remedy}, then try again.`;
}

/** Whether somebody asked for more than fits: the tensor heap says so, and so do the arrays of JavaScript. */
function isMemory({ name, message }: Error): boolean {
  return (
    name === "RangeError" &&
    /heap is full|invalid (typed )?(array|string) length|array buffer allocation|could not allocate|out of memory/i.test(
      message,
    )
  );
}
