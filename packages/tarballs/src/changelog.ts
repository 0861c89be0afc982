const heading = "## [Unreleased]";

/** The entries of the changelog that are not released yet; empty if there are none. */
export function unreleased(changelog: string): string {
  const start = changelog.indexOf(heading);
  if (start < 0)
    throw new Error(`CHANGELOG.md has no heading "${heading}". Add it above the newest release.`);
  const rest = changelog.slice(start + heading.length);
  const end = rest.search(/^## /m);
  return rest.slice(0, end < 0 ? undefined : end).trim();
}

/** The changelog after a release: its entries get a version and a date, and a new heading stands above. */
export function withRelease(changelog: string, version: string, date: string): string {
  return changelog.replace(heading, `${heading}\n\n## [${version}] - ${date}`);
}
