// Copied by `npx reins importmap --copy reins`: workers have no import map, so they import files.

import { serve } from "./learn.js";
import { ppo, train } from "./reins/index.js";

serve({ ppo, train });
