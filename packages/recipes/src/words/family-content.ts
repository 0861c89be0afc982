import { createHash } from "node:crypto";
import { defaultRng } from "@reins/core";
import type { Family } from "@reins/language";

/** Problems of each level that stand for all. */
const some = 256;

/**
 * What a family is, as a digest: what it says of itself, the text of its functions, the problems that it lists, and some of those that it
 * makes. Its name alone would stay when its problems change, and functions do not show what they close over; problems do.
 */
export function familyContent(family: Family): string {
  const known = digests.get(family);
  if (known) return known;
  const { id, levels, alphabet, longest, listed, make, verify } = family;
  const hash = createHash("sha256");
  hash.update(JSON.stringify([id, levels, alphabet, longest, listed, String(make), String(verify)]));
  for (let level = 1; level <= levels && !listed; level++) {
    const random = defaultRng([level, some]);
    for (let i = 0; i < some; i++) hash.update(JSON.stringify(family.make(random, level)));
  }
  const content = `${id} ${hash.digest("hex").slice(0, 16)}`;
  digests.set(family, content);
  return content;
}

const digests = new WeakMap<Family, string>();
