import type { Family } from "@reins/language";

/** Tasks of files that were loaded, and hold clients or processes. */
const open = new Set<Pick<Family, "close" | "tools">>();

/** Milliseconds that closing may take. */
const patience = 5000;

/** Notes a task, to be closed when the command has ended. */
export const noteTask = (task: Pick<Family, "close" | "tools">): void => void open.add(task);

/** Closes all tasks and their tools, so that the process can end. What fails or hangs is left: the command has its result. */
export async function closeTasks(): Promise<void> {
  const closers = [...open].flatMap((task) => [
    ...(task.tools ?? []).map((tool) => async () => tool.close?.()),
    async () => task.close?.(),
  ]);
  open.clear();
  if (closers.length === 0) return;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise((done) => {
    timer = setTimeout(done, patience);
  });
  await Promise.race([Promise.allSettled(closers.map((close) => close())), late]);
  clearTimeout(timer);
}
