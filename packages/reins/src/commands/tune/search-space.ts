import type { AlgorithmMaker } from "@reins/core";
import { algorithmFlags } from "../../cli/algorithm-flags.ts";
import { camel } from "../../cli/flags.ts";
import { parseNumber } from "../../cli/numbers.ts";
import { usageError } from "../../cli/usage.ts";
import { between, type Dimension, oneOf, type Space, usual } from "../../tuning/space.ts";

/** Parses the value of --vary. */
export function parseSearchSpace(maker: AlgorithmMaker, typed: string): Space {
  const { flags, options } = algorithmFlags(maker, {});
  const dimensions = typed
    .split(";")
    .filter((part) => part.trim() !== "")
    .map((part): Dimension => {
      const [given, ...rest] = part.split("=");
      const name = camel(given.trim());
      const value = rest.join("=").trim();
      if (value === "")
        return (
          usual(maker, name) ?? usageError(`${name} has no usual range. Give one: ${given.trim()}=LOW..HIGH.`)
        );
      const ends = value.split("..").map((t) => parseNumber(t.trim()));
      if (ends.length === 2 && ends[0] !== undefined && ends[1] !== undefined)
        return between(maker, name, ends[0], ends[1]);
      const flag = Object.keys(options).find((f) => options[f] === name);
      const read = (t: string) => (flag ? flags[flag].read(t.trim(), `--vary ${given.trim()}`) : t);
      return oneOf(maker, name, value.split("|").map(read));
    });
  const twice = dimensions.find((d, i) => dimensions.findIndex((e) => e.name === d.name) !== i);
  if (twice) usageError(`--vary names ${twice.name} twice.`);
  return dimensions;
}
