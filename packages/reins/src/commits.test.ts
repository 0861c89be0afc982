import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { root } from "./testing-wording.ts";

/** The last commit before these rules. */
const since = "2026-11-18T15:00:00Z";

const form = /^[a-z][\w+./-]*(, [a-z][\w+./-]*)*: [a-zA-Z`"].*[^.\s]$/;
/** First words that are not an imperative. */
const notImperative = /: (a|an|the|of|in|what|who|no|some|that|this|\w+(?:ed|ing)|adds|fixes|makes|uses)\b/i;
const imperative = /: (embed|exceed|feed|need|proceed|seed|shed|speed|bring|ping|string)\b/i;

/** Why the subject of a commit is refused, or undefined. */
function refusal(subject: string): string | undefined {
  if (subject.length > 72) return `${subject.length} characters: use at most 72`;
  if (!form.test(subject)) return 'write "area: imperative summary" without a full stop';
  if (notImperative.test(subject) && !imperative.test(subject)) return "begin the summary with an imperative";
  return undefined;
}

/** Abbreviated hash and subject of each new commit; undefined without a Git history. */
function newCommits(): string[] | undefined {
  try {
    const log = ["log", "--no-merges", `--since=${since}`, "--format=%h %s"];
    const text = execFileSync("git", log, {
      cwd: root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    return text.split("\n").filter(Boolean);
  } catch {
    return undefined;
  }
}

it("accepts an area and an imperative, and refuses other subjects", () => {
  for (const good of [
    "studio: show stopped runs",
    "bench, fuzz: list the new row",
    "recipes/memory: seed every arm",
  ])
    expect(refusal(good)).toBeUndefined();
  expect(refusal("A chance hands on no number")).toContain("area:");
  expect(refusal("envs: avoid boxing.")).toContain("full stop");
  expect(refusal("envs: added a task")).toContain("imperative");
  expect(refusal("envs: the task of one agent")).toContain("imperative");
  expect(refusal(`envs: ${"add a task ".repeat(7).trim()}`)).toContain("at most 72");
});

const commits = newCommits();

it.skipIf(!commits)("subjects of new commits are valid", () => {
  const wrong = commits!.flatMap((commit) => {
    const reason = refusal(commit.slice(commit.indexOf(" ") + 1));
    return reason ? [`${commit}: ${reason}`] : [];
  });
  expect(wrong).toEqual([]);
});
