import { quoted } from "../../../src/quoted.ts";
import { href } from "../../route.ts";

/** Where there are no runs yet. */
export const Nothing = ({ root }: { root: string }) => (
  <div class="empty">
    <h2>No runs yet</h2>
    <p>There is nothing in {root}. Begin one there, and it appears here by itself:</p>
    <pre>
      npx reins train ppo CartPole-v1
      {/(^|[\\/])runs$/.test(root) ? "" : ` --directory ${quoted(`${root}/first`)}`}
    </pre>
    <p>
      Or <a href={href(["train"])}>train an agent in this page</a>, which keeps nothing on the disk.
    </p>
  </div>
);
