// `reins/worker` is `reins` in one file, which is what Vite makes of a worker unless it is told otherwise.
import { ppo, train } from "reins/worker";
import { serve } from "./learn.js";

serve({ ppo, train });
