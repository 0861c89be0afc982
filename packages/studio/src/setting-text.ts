/** A setting in the syntax of the command line: signals as `linear(0.005, 0)`. */
export function settingText(value: unknown): string {
  if (value === undefined) return "–";
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return JSON.stringify(value);
  const { signal, ...rest } = value as Record<string, unknown>;
  if (typeof signal !== "string") return JSON.stringify(value);
  const plain = "from" in rest && "to" in rest;
  const parts = Object.entries(rest).map(([name, x]) =>
    plain && ["from", "to"].includes(name) ? settingText(x) : `${name}=${settingText(x)}`,
  );
  return `${signal}(${parts.join(", ")})`;
}
