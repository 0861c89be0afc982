import { useEffect, useRef, useState } from "preact/hooks";
import { get, ofRun } from "../api.ts";

/** A sparkline, loaded when it becomes visible and again when the run has progressed. */
export function Spark({ run, steps }: { run: string; steps: number }) {
  const place = useRef<SVGSVGElement>(null);
  const [values, setValues] = useState<readonly (number | null)[]>([]);
  const [seen, setSeen] = useState(false);
  useEffect(() => {
    const watch = new IntersectionObserver(([{ isIntersecting }]) => isIntersecting && setSeen(true));
    watch.observe(place.current!);
    return () => watch.disconnect();
  }, []);
  useEffect(() => {
    if (seen) get<(number | null)[]>(ofRun(run, "spark")).then(setValues, () => {});
  }, [run, steps, seen]);
  return (
    <svg ref={place} class="spark" viewBox="0 0 120 28" aria-hidden="true">
      <path
        d={pathOf(values)}
        fill="none"
        stroke="var(--accent)"
        stroke-width="1.5"
        stroke-linejoin="round"
      />
    </svg>
  );
}

function pathOf(values: readonly (number | null)[]): string {
  const known = values.filter((v) => v !== null);
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const y = (v: number) => 25 - (high > low ? (v - low) / (high - low) : 0.5) * 22;
  let path = "";
  values.forEach((v, i) => {
    if (v === null) return;
    const x = values.length > 1 ? 2 + (i / (values.length - 1)) * 116 : 60;
    path += `${path ? "L" : "M"}${x.toFixed(1)} ${y(v).toFixed(1)}`;
  });
  return path;
}
