import type { Episode } from "../episode.ts";
import { fail } from "../errors.ts";
import { callJudge, type Judge, totalOf, type Verdict } from "../judge.ts";
import { groupEpisodes } from "../selection.ts";
import { placed } from "./step-verdict.ts";

/** A verdict, its weight, and its judge's name. */
interface Part {
  readonly name?: string;
  readonly weight: number;
  readonly verdict: Verdict;
}

/** A weighted sum of several judges; `info` has the verdict of each under its name. */
export function sumOf(judges: { readonly [name: string]: { judge: Judge; weight: number } }): Judge {
  const names = Object.keys(judges);
  if (names.includes("why"))
    fail("sumOf", "a judge cannot be named why, which is reserved for the reasons of verdicts. Rename it.");
  return async (episodes, court) => {
    const said = await Promise.all(names.map((n) => callJudge(judges[n].judge, episodes, court)));
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

/** The second judge counts only if the first one's reward is at least `threshold`, so that secondary rewards cannot be exploited while the task fails. */
export function gate(first: Judge, threshold: number, second: Judge): Judge {
  return async (episodes, court) => {
    const [a, b] = await Promise.all([callJudge(first, episodes, court), callJudge(second, episodes, court)]);
    return episodes.map((episode, i) => {
      const open = totalOf(a[i]) >= threshold ? 1 : 0;
      const parts = [
        { weight: 1, verdict: a[i] },
        { weight: open, verdict: b[i] },
      ];
      // The task score comes from the first judge.
      const { score } = a[i];
      return { ...joined(parts, episode), ...(score === undefined ? {} : { score }) };
    });
  };
}

/** The sum of verdicts. It fails if any of them failed, and is formed if every verdict with `wellFormed` is. */
function joined(parts: readonly Part[], episode: Episode): Verdict {
  const reward = parts.reduce((sum, { weight, verdict }) => sum + weight * totalOf(verdict), 0);
  const info = Object.assign({}, ...parts.map((p) => p.verdict.info).reverse());
  const failed = parts.find((p) => p.verdict.failed !== undefined);
  const forms = parts.flatMap((p) => p.verdict.wellFormed ?? []);
  return {
    reward,
    ...(parts.some((p) => p.verdict.steps) ? { steps: addedUp(parts, episode) } : {}),
    ...(failed
      ? { failed: `${failed.name === undefined ? "" : `${failed.name}: `}${failed.verdict.failed}` }
      : {}),
    ...(forms.length ? { wellFormed: forms.every((f) => f) } : {}),
    info,
  };
}

function addedUp(parts: readonly Part[], episode: Episode): Float32Array {
  const all = parts.map(({ weight, verdict }) => ({ weight, on: placed(verdict, episode) }));
  return all[0].on.map((_, t) => all.reduce((sum, { weight, on }) => sum + weight * on[t], 0));
}

/** Calls a judge for each group of episodes, so that it can compare them. */
export function grouped(judge: Judge): Judge {
  return async (episodes, court) => {
    const verdicts: Verdict[] = [];
    for (const members of groupEpisodes(episodes.map((episode, i) => ({ episode, i })))) {
      const said = await callJudge(
        judge,
        members.map((m) => m.episode),
        court,
      );
      members.forEach(({ i }, j) => (verdicts[i] = said[j]));
    }
    return verdicts;
  };
}
