import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { unreleased, withRelease } from "./changelog.ts";
import { check } from "./check.ts";
import { absoluteLinks, repository } from "./publication.ts";
import { pack } from "./tarball.ts";
import { compareVersions, manifestFiles, setVersions } from "./versions.ts";
import { type Manifest, published } from "./workspace.ts";

/** A release to make. */
export interface ReleaseOptions {
  /** The root of the workspace. */
  readonly at: string;
  readonly version: string;
  /** The date of the release, as in `2026-12-01`. */
  readonly date: string;
  /** The address that links of the notes and of packages get; see {@link repository}. */
  readonly address?: string;
  /** Print the steps and change nothing. */
  readonly dryRun?: boolean;
  readonly print: (line: string) => void;
}

/**
 * Releases a version: checks the tree, sets versions, writes the changelog, packs and checks tarballs into
 * `release/<version>`, commits and tags. Nothing is pushed or published. A failure restores all files.
 */
export async function release(options: ReleaseOptions): Promise<void> {
  const { at, version, date, address = repository, dryRun, print } = options;
  const git = (...args: string[]) =>
    execFileSync("git", args, { cwd: at, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trimEnd();
  const tag = `v${version}`;
  const changelog = readFileSync(join(at, "CHANGELOG.md"), "utf8");
  const entries = unreleased(changelog);
  refuse(git, at, version, entries);
  const notes = address === "" ? entries : absoluteLinks(entries, "", address, version);

  const files = [...manifestFiles(at), "package-lock.json", "CHANGELOG.md"];
  const packages = published(at);
  const out = join(at, "release", version);
  if (address === "")
    print("No repository is set in publication.ts: links in READMEs and notes stay relative.");
  if (dryRun) {
    print(`set version ${version} in ${files.length - 1} files`);
    print(`write CHANGELOG.md: [Unreleased] becomes [${version}] - ${date}`);
    print(`pack and check ${packages.map(({ manifest }) => manifest.name).join(", ")}`);
    print(`write release/${version}/notes.md:`);
    for (const line of notes.split("\n")) print(`  ${line}`);
    print(`commit "release: set version ${version}" and tag ${tag}`);
    return;
  }

  try {
    setVersions(at, version);
    writeFileSync(join(at, "CHANGELOG.md"), withRelease(changelog, version, date));
    mkdirSync(out, { recursive: true });
    const findings = await check(await pack(published(at), out, { at, address }), print, at);
    if (findings) throw new Error(`The tarballs have ${findings} findings. Fix them and release again.`);
    writeFileSync(join(out, "notes.md"), `${notes}\n`);
    git("commit", "--quiet", "--all", "--message", `release: set version ${version}`);
  } catch (error) {
    git("checkout", "--quiet", "--", ".");
    rmSync(out, { recursive: true, force: true });
    throw error;
  }
  git("tag", "--annotate", tag, "--cleanup=verbatim", "--file", join(out, "notes.md"));
  print(`Tagged ${tag}. Publish: git push --follow-tags && npm publish release/${version}/<package>.tgz`);
}

/** Throws if a release cannot start. */
function refuse(git: (...args: string[]) => string, at: string, version: string, notes: string): void {
  if (!/^\d+\.\d+\.\d+$/.test(version))
    throw new Error(`"${version}" is not a version. Use three numbers, as in 0.2.0.`);
  const { version: current } = JSON.parse(readFileSync(join(at, manifestFiles(at)[0]), "utf8")) as Manifest;
  if (compareVersions(version, current) <= 0)
    throw new Error(`Version ${version} is not newer than ${current}. Use a higher version.`);
  const changed = git("status", "--porcelain");
  if (changed) throw new Error(`The working tree has changes. Commit or stash them:\n${changed}`);
  if (git("tag", "--list", `v${version}`))
    throw new Error(`Tag v${version} already exists. Use a higher version.`);
  if (!notes) throw new Error("CHANGELOG.md has no entries under [Unreleased]. Add what users can now do.");
}
