import { compact } from "../../format.ts";
import { type TrainTask, unitOf } from "../../train/tasks.ts";

/** Speed limits to choose from, in steps per second. */
const paces = [300, 1000, 3000, 10_000];

/** Chooses the speed limit of training, in steps per second; null is unlimited. */
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
        <option value="">unlimited</option>
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
