import { href } from "../../route.ts";
import { type TrainTask, tasks } from "../../train/tasks.ts";

/** What can be learned here. */
export function TaskChoice({ chosen }: { chosen: TrainTask }) {
  return (
    <nav class="task-cards" aria-label="What to learn">
      {tasks.map(({ id, title, about }) => (
        <a key={id} href={href(["train", id])} aria-current={id === chosen.id ? "true" : undefined}>
          <b>{title}</b>
          <span class="soft">{about}</span>
        </a>
      ))}
    </nav>
  );
}
