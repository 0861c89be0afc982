// Copied by `npx reins importmap --copy reins`: a worker finds files, and no names.

import { serve } from "./learn.js";
import { ppo, train } from "./reins/index.js";

serve({ ppo, train });
