import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Column } from "../../curves/column.ts";
import { Curve } from "../../curves/curve.ts";
import { Log } from "../../curves/log.ts";
import { Track } from "../../curves/track.ts";

/** The x axis of curves. */
export type Axis = "step" | "time" | "episode";

/** Metrics of finished episodes are NaN before the first one ends. */
const comesLate = (metric: string): boolean => /^(return|length|success)\//.test(metric);

/** Curves of a run by metric, kept up to date. */
export function useCurves(
  run: string,
  names: readonly string[],
  axis: Axis,
  live: boolean,
  log: "metrics" | "times" = "metrics",
): { curves: ReadonlyMap<string, Curve>; error?: string } {
  const logs = useMemo(() => ({ metrics: new Log(run, "metrics"), times: new Log(run, "times") }), [run]);
  const [turn, setTurn] = useState(0);
  const [error, setError] = useState<string>();
  const made = useRef(new Map<string, Curve | Track>());
  const key = `${run}\n${axis}\n${names.join("\n")}`;
  useEffect(() => {
    let over = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const tick = () => over || setTurn((n) => n + 1);
    const round = async () => {
      if (!document.hidden)
        try {
          const changed = [
            await logs[log].read(names, tick),
            axis === "episode" && (await logs.metrics.read(["episodes"], tick)),
            axis === "time" && (await logs.times.read(["seconds"], tick)),
          ];
          setError(undefined);
          if (changed.some(Boolean)) tick();
        } catch (e) {
          if (!over) setError((e as Error).message);
        }
      if (!over && live) timer = setTimeout(round, 1000);
    };
    void round();
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [key, live, logs]);
  const curves = useMemo(() => {
    const found = new Map<string, Curve>();
    for (const name of names) {
      const column = logs[log].column(name);
      if (!column) continue;
      const scale = axis === "step" ? undefined : scaleOf(logs, axis);
      if (axis !== "step" && !scale) continue;
      const kept = made.current.get(name);
      const like = { late: comesLate(name) };
      if (scale) {
        const same = kept instanceof Track && kept.isOf(column, scale);
        const track = same ? kept : new Track(column, scale, like);
        made.current.set(name, track);
        found.set(name, track.grow());
      } else {
        const same = kept instanceof Curve && kept.x === column.step && kept.y === column.value;
        const curve = same ? kept : new Curve(column.step, column.value, like);
        made.current.set(name, curve);
        curve.grow();
        found.set(name, curve);
      }
    }
    return found;
  }, [turn, key, logs]);
  return { curves, ...(error ? { error } : {}) };
}

/** The column of another axis. */
const scaleOf = (logs: { metrics: Log; times: Log }, axis: "time" | "episode"): Column | undefined =>
  axis === "time" ? logs.times.column("seconds") : logs.metrics.column("episodes");
