import { Notice } from "../../parts/notice.tsx";
import type { TrainTask } from "../../train/tasks.ts";

/** What can be done with a file that was saved. */
export function Saved({ name, task }: { name: string; task: TrainTask }) {
  return (
    <Notice>
      <b>{name}</b> has the agent and its training. In a terminal, where it lies:
      <pre class="saved-commands">
        {`reins eval ${name}\nreins train --from ${name} --steps ${task.steps}`}
      </pre>
      <span class="soft">What a run there keeps as last.agent can be loaded here again.</span>
    </Notice>
  );
}
