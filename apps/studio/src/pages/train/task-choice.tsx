import { useEffect, useRef } from "preact/hooks";
import { href } from "../../route.ts";
import { type TrainTask, tasks } from "../../train/tasks.ts";

/** The tasks to choose from. */
export function TaskChoice({ chosen }: { chosen: TrainTask }) {
  const cards = useRef<HTMLElement>(null);
  // On narrow screens the cards scroll sideways.
  useEffect(() => {
    const card = cards.current!.querySelector<HTMLElement>("[aria-current]");
    if (card) cards.current!.scrollLeft = card.offsetLeft - cards.current!.offsetLeft - 40;
  }, [chosen.id]);
  return (
    <nav ref={cards} class="task-cards" aria-label="Tasks">
      {tasks.map(({ id, title, about }) => (
        <a key={id} href={href(["train", id])} aria-current={id === chosen.id ? "true" : undefined}>
          <b>{title}</b>
          <span class="soft">{about}</span>
        </a>
      ))}
    </nav>
  );
}
