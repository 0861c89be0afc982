import { type TrainTask, unitOf } from "../../train/tasks.ts";
import { compact } from "../../words.ts";

/** Steps a second that one may slow it down to. */
const paces = [300, 1000, 3000, 10_000];

/** How fast it learns, in steps a second; null: as fast as it can. */
export function Speed(props: { task: TrainTask; value: number | null; change(value: number | null): void }) {
  const { task, value, change } = props;
  const unit = unitOf(task);
  return (
    <label>
      Speed
      <select
        value={value ?? ""}
        onChange={({ currentTarget }) =>
          change(currentTarget.value === "" ? null : Number(currentTarget.value))
        }
      >
        <option value="">as fast as it can</option>
        {task.watch && (
          <option value={task.watch}>
            to watch: {compact(task.watch)} {unit}/s
          </option>
        )}
        {paces.map((n) => (
          <option key={n} value={n}>
            {compact(n)} {unit}/s
          </option>
        ))}
      </select>
    </label>
  );
}
