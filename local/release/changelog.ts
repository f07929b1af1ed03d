/** The entries below the heading of a version, or of "Unreleased", without the heading. */
export function sectionOf(changelog: string, name: string): string {
  const sections = changelog.split(/^## /m);
  const section =
    sections.find((each) => each.startsWith(`${name}\n`) || each.startsWith(`${name} - `)) ?? '';
  return section.slice(section.indexOf('\n')).trim();
}

/** Why the unreleased entries cannot become a release, if they cannot. */
export function changelogProblem(changelog: string, mayBreak: boolean): string | undefined {
  const entries = sectionOf(changelog, 'Unreleased');
  if (!/^- /m.test(entries)) return 'CHANGELOG.md has no entry under "Unreleased"';
  const breaking = entries.split(/^### /m).find((each) => each.startsWith('Breaking\n')) ?? '';
  if (/^- /m.test(breaking) && !mayBreak)
    return 'CHANGELOG.md has entries under "Breaking", which require a new major version';
  return undefined;
}

/** Moves the unreleased entries below a heading of the version. */
export const datedChangelog = (changelog: string, version: string, date: string): string =>
  changelog.replace('\n## Unreleased\n', `\n## Unreleased\n\n## ${version} - ${date}\n`);
