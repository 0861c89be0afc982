import { CopyButton } from "../../parts/copy-button.tsx";
import { Notice } from "../../parts/notice.tsx";
import type { TrainTask } from "../../train/tasks.ts";

/** What can be done with a file that was saved: in Node, and back here. */
export function Saved({ name, task }: { name: string; task: TrainTask }) {
  const inWords = task.pace === 0;
  const text = inWords ? wordsCommands(name) : commands(name, task);
  return (
    <Notice>
      <details class="saved">
        <summary>
          <b>{name}</b> was saved, with {inWords ? "the model" : "the agent and its training"}. How to go on
          with it in a terminal
        </summary>
        <div class="saved-commands">
          <pre>{text}</pre>
          <CopyButton text={text} />
        </div>
        <span class="soft">What the last line writes can be loaded here again.</span>
      </details>
    </Notice>
  );
}

const commands = (name: string, { steps }: TrainTask) => `npx reins eval ${name}
npx reins train --from ${name} --steps ${steps} --name more
npx reins export more --agent more.agent`;

const wordsCommands = (name: string) => `mkdir sorter && tar xf ${name} -C sorter
npx reins train grpo sorting --env-folder ./sorter --env-level 1 --save-model ./better
tar cf better.tar -C better .`;
