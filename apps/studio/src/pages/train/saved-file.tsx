import { CopyButton } from "../../parts/copy-button.tsx";
import { Notice } from "../../parts/notice.tsx";
import type { TrainTask } from "../../train/tasks.ts";

/** Commands that continue with a saved file in Node. */
export function SavedFile({ name, task }: { name: string; task: TrainTask }) {
  const isLanguage = task.pace === 0;
  const text = isLanguage ? modelCommands(name) : commands(name, task);
  return (
    <Notice>
      <details class="saved">
        <summary>
          Saved <b>{name}</b> with {isLanguage ? "the model" : "the agent and its training state"}. Continue
          in a terminal
        </summary>
        <div class="saved-commands">
          <pre>{text}</pre>
          <CopyButton text={text} />
        </div>
        <span class="soft">The last command writes a file that can be loaded here.</span>
      </details>
    </Notice>
  );
}

const commands = (name: string, { steps }: TrainTask) => `npx reins eval ${name}
npx reins train --from ${name} --steps ${steps} --name more
npx reins export more --agent more.agent`;

const modelCommands = (name: string) => `mkdir sorter && tar xf ${name} -C sorter
npx reins train grpo sorting --env-folder ./sorter --env-level 1 --save-model ./better
tar cf better.tar -C better .`;
