import { Notice } from "../../parts/notice.tsx";
import type { TrainTask } from "../../train/tasks.ts";

/** What can be done with a file that was saved: in Node, and back here. */
export function Saved({ name, task }: { name: string; task: TrainTask }) {
  const inWords = task.pace === 0;
  return (
    <Notice>
      <b>{name}</b> has {inWords ? "the model" : "the agent and its training"}. In a terminal, where it lies:
      <pre class="saved-commands">{inWords ? wordsCommands(name) : commands(name, task)}</pre>
      <span class="soft">What the last line writes can be loaded here again.</span>
    </Notice>
  );
}

const commands = (name: string, { steps }: TrainTask) => `reins eval ${name}
reins train --from ${name} --steps ${steps} --name more
reins export more --agent more.agent`;

const wordsCommands = (name: string) => `mkdir sorter && tar xf ${name} -C sorter
reins train grpo sorting --env-folder ./sorter --env-level 1 --save-model ./better
tar cf better.tar -C better .`;
