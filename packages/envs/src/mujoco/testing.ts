import { loadMujoco } from "./engine.ts";

/** Whether MuJoCo is available; its tests are skipped only where its package is not installed. */
export async function hasMujoco(): Promise<boolean> {
  try {
    await loadMujoco();
    return true;
  } catch (error) {
    if (error instanceof Error && error.message.includes("npm install @mujoco/mujoco")) return false;
    throw error;
  }
}
