import { compact, duration, short } from "../../format.ts";

/** Titles of the columns that every list can have. */
const titles: Readonly<Record<string, string>> = {
  name: "Run",
  state: "State",
  algorithm: "Algorithm",
  env: "Environment",
  seed: "Seed",
  return: "Return",
  training: "Training return",
  steps: "Steps",
  budget: "Budget",
  stepsPerSecond: "Speed",
  seconds: "Time",
  created: "Started",
  tag: "Tags",
  note: "Note",
  curve: "Curve",
};

/** Columns to choose from, besides settings and metrics; the name is always shown. */
export const ownColumns = Object.keys(titles).filter((key) => key !== "name");

/** The heading of a column. */
export const titleOf = (key: string): string => (Object.hasOwn(titles, key) ? titles[key] : key);

const texts = ["name", "state", "algorithm", "env", "created", "tag", "note", "curve"];

/** Whether a column is numeric: sorted with the largest first. */
export const isNumeric = (key: string): boolean => Object.hasOwn(titles, key) && !texts.includes(key);

/** Whether rows can be sorted by a column. */
export const isSortable = (key: string): boolean => key !== "curve";

/** A value of a column as text. */
export function cellText(key: string, value: string | number | null): string {
  if (value === null) return "–";
  if (typeof value === "string") return value;
  if (key === "steps" || key === "budget") return compact(value);
  if (key === "stepsPerSecond") return `${compact(value)}/s`;
  if (key === "seconds") return duration(value);
  if (key === "seed") return String(value);
  return short(value);
}
