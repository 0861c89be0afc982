// `reins/worker` is `reins` in one file, as Vite bundles workers by default.
import { ppo, train } from "reins/worker";
import { serve } from "./learn.js";

serve({ ppo, train });
