/** Whether a process exists. */
export const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** Whether a process ends within ten seconds. */
export async function hasExited(pid: number): Promise<boolean> {
  for (let i = 0; i < 200 && isAlive(pid); i++) await new Promise((done) => setTimeout(done, 50));
  return !isAlive(pid);
}
