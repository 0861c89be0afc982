import { shellQuote } from "@reins/studio/wire";
import { href } from "../../route.ts";

/** Shown if there are no runs. */
export const NoRuns = ({ root }: { root: string }) => (
  <div class="empty">
    <h2>No runs yet</h2>
    <p>{root} contains no runs. Start one, and it appears here:</p>
    <pre>
      npx reins train ppo CartPole-v1
      {/(^|[\\/])runs$/.test(root) ? "" : ` --directory ${shellQuote(`${root}/first`)}`}
    </pre>
    <p>
      Or <a href={href(["train"])}>train an agent in this page</a>. It is not saved to disk.
    </p>
  </div>
);
