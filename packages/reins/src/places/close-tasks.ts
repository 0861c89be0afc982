import type { TextTask } from "@reins/language";

/** Loaded tasks with clients or processes. */
const open = new Set<Pick<TextTask, "close" | "episode">>();

/** Timeout of closing, in milliseconds. */
const patience = 5000;

/** Registers a task to be closed when the command has ended. */
export const noteTask = (task: Pick<TextTask, "close" | "episode">): void => void open.add(task);

/** Closes all tasks and their tools, so that the process can end. Failures and timeouts are ignored: the command has its result. */
export async function closeTasks(): Promise<void> {
  const closers = [...open].flatMap((task) => [
    ...(task.episode?.tools ?? []).map((tool) => async () => tool.close?.()),
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
