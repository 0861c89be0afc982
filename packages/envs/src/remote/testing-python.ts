import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** The interpreter that tests use. */
export const python = process.env.REINS_PYTHON || "python3";

/** Whether it has the bridge's dependencies. Without them, tests of the bridge are skipped with a message. */
export const hasGymnasium = spawnSync(python, ["-c", "import gymnasium, numpy"]).status === 0;

/** Whether it also has multi-agent environments. */
export const hasPettingZoo =
  hasGymnasium && spawnSync(python, ["-c", "import pettingzoo, mpe2.simple_spread_v3"]).status === 0;

/** Whether it has MiniGrid. */
export const hasMiniGrid = hasGymnasium && spawnSync(python, ["-c", "import minigrid"]).status === 0;

/** Directory of the Python test environments. */
export const testingFolder = fileURLToPath(new URL("../../fixtures/python", import.meta.url));
