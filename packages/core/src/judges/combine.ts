import type { Episode } from "../episode.ts";
import { fail } from "../errors.ts";
import { consult, type Judge, totalOf, type Verdict } from "../judge.ts";
import { inGroups } from "../selection.ts";
import { placed } from "./step-verdict.ts";

/** A verdict, what it counts, and whose it is. */
interface Part {
  readonly name?: string;
  readonly weight: number;
  readonly verdict: Verdict;
}

/** Several judges: a weighted sum of what they say, and in `info` what each said under its name. */
export function sumOf(judges: { readonly [name: string]: { judge: Judge; weight: number } }): Judge {
  const names = Object.keys(judges);
  if (names.includes("why"))
    fail("sumOf", "a judge cannot be named why: verdicts give their reasons by that name. Rename it.");
  return async (episodes, court) => {
    const said = await Promise.all(names.map((n) => consult(judges[n].judge, episodes, court)));
    return episodes.map((episode, i) => {
      const parts = names.map((name, j) => ({ name, weight: judges[name].weight, verdict: said[j][i] }));
      const { info, ...rest } = joined(parts, episode);
      const rewards = Object.fromEntries(parts.map((p) => [p.name, totalOf(p.verdict)]));
      const scored = parts.some((p) => p.verdict.score !== undefined);
      const score = parts.reduce((sum, p) => sum + p.weight * (p.verdict.score ?? totalOf(p.verdict)), 0);
      return { ...rest, ...(scored ? { score } : {}), terms: rewards, info: { ...info, ...rewards } };
    });
  };
}

/** The second judge counts only where the first one is at least `threshold`: cheap points cannot be farmed while the task fails. */
export function gate(first: Judge, threshold: number, second: Judge): Judge {
  return async (episodes, court) => {
    const [a, b] = await Promise.all([consult(first, episodes, court), consult(second, episodes, court)]);
    return episodes.map((episode, i) => {
      const open = totalOf(a[i]) >= threshold ? 1 : 0;
      const parts = [
        { weight: 1, verdict: a[i] },
        { weight: open, verdict: b[i] },
      ];
      // How well the task was done is the first judge's to say.
      const { score } = a[i];
      return { ...joined(parts, episode), ...(score === undefined ? {} : { score }) };
    });
  };
}

/** The sum of verdicts. One that failed makes the whole one that did; it is formed if all say so that say anything. */
function joined(parts: readonly Part[], episode: Episode): Verdict {
  const reward = parts.reduce((sum, { weight, verdict }) => sum + weight * totalOf(verdict), 0);
  const info = Object.assign({}, ...parts.map((p) => p.verdict.info).reverse());
  const failed = parts.find((p) => p.verdict.failed !== undefined);
  const forms = parts.flatMap((p) => p.verdict.formed ?? []);
  return {
    reward,
    ...(parts.some((p) => p.verdict.steps) ? { steps: addedUp(parts, episode) } : {}),
    ...(failed
      ? { failed: `${failed.name === undefined ? "" : `${failed.name}: `}${failed.verdict.failed}` }
      : {}),
    ...(forms.length ? { formed: forms.every((f) => f) } : {}),
    info,
  };
}

function addedUp(parts: readonly Part[], episode: Episode): Float32Array {
  const all = parts.map(({ weight, verdict }) => ({ weight, on: placed(verdict, episode) }));
  return all[0].on.map((_, t) => all.reduce((sum, { weight, on }) => sum + weight * on[t], 0));
}

/** Lets a judge compare the episodes of each group with one another. */
export function grouped(judge: Judge): Judge {
  return async (episodes, court) => {
    const verdicts: Verdict[] = [];
    for (const members of inGroups(episodes.map((episode, i) => ({ episode, i })))) {
      const said = await consult(
        judge,
        members.map((m) => m.episode),
        court,
      );
      members.forEach(({ i }, j) => (verdicts[i] = said[j]));
    }
    return verdicts;
  };
}
