import { loadMujoco } from "./engine.ts";

/** Whether MuJoCo is there; tests of what needs it are left out only where its package is not installed. */
export async function hasMujoco(): Promise<boolean> {
  try {
    await loadMujoco();
    return true;
  } catch (error) {
    if (error instanceof Error && error.message.includes("npm install @mujoco/mujoco")) return false;
    throw error;
  }
}
