type Check = (x: unknown) => boolean;
const isText: Check = (x) => typeof x === "string";
/** NaN is written as null. */
const isNumber: Check = (x) => typeof x === "number" || x === null;
const isList =
  (of: Check): Check =>
  (x) =>
    Array.isArray(x) && x.every(of);
const isStretch: Check = (x) => {
  const { from, to } = Object(x) as { from?: unknown; to?: unknown };
  return typeof from === "number" && typeof to === "number";
};
const maybe =
  (of: Check): Check =>
  (x) =>
    x === undefined || of(x);

/** Lists with an entry for each token. */
const lists: Readonly<Record<string, Check>> = {
  tokens: isList(isText),
  makers: isList(isText),
  turns: isList(isNumber),
  logProbs: isList(isNumber),
  rewards: isList(isNumber),
  advantages: maybe(isList(isNumber)),
  entropies: maybe(isList(isNumber)),
};
const rest: Readonly<Record<string, Check>> = {
  first: isText,
  segments: isList(isStretch),
  task: maybe(isText),
  failed: maybe(isText),
  key: maybe(isText),
  role: maybe(isText),
  largestAdvantage: maybe(isNumber),
};

/** Why a line is not a valid transcript; undefined if it is. */
export function faultIn(line: Readonly<Record<string, unknown>>): string | undefined {
  for (const [name, is] of Object.entries({ ...lists, ...rest }))
    if (!is(line[name]))
      return line[name] === undefined ? `it has no ${name}` : `its ${name} have the wrong type`;
  const { length } = line.tokens as readonly string[];
  const other = Object.keys(lists).find(
    (name) => (line[name] as readonly unknown[] | undefined)?.length !== length && line[name] !== undefined,
  );
  return other && `it has ${length} tokens and ${(line[other] as readonly unknown[]).length} ${other}`;
}
