import type { Line } from './lines.ts';
import { join, parentOf, type Repository } from './repository.ts';

/** Checks the citations of one kind in a line. Returns a reason for each that does not resolve. */
export type Check = (line: Line, path: string, repository: Repository) => string[];

/** `D25`: a rule of docs/contract.md. */
export const ruleNumbers: Check = ({ text }, _, { rules }) =>
  [...text.matchAll(/\bD([1-9]\d{0,2})\b/g)]
    .filter(([, digits]) => !rules.has(Number(digits)))
    .map(([cited]) => `docs/contract.md does not define ${cited}`);

/** `decision 7`, `decisions/0007`: a record in docs/decisions. */
export const decisionNumbers: Check = ({ text }, _, { decisions }) =>
  [...text.matchAll(/\bdecisions?(?:\/| \[?)(\d{1,4})\b/gi)]
    .filter(([, digits]) => !decisions.has(Number(digits)))
    .map(([, digits]) => `there is no decision ${digits}`);

/** `specification 8`, `specification 2 to 4`, `specification, "Limits"`: sections of docs/contract.md. */
export const contractSections: Check = ({ text }, _, repository) => [
  ...[...text.matchAll(/\bspecification (\d+(?:(?:, | to | and )\d+)*)/gi)]
    .flatMap(([, numbers = '']) => numbers.match(/\d+/g) ?? [])
    .filter((number) => !repository.endpoints.has(Number(number)))
    .map((number) => `docs/contract.md has no endpoint ${number}`),
  ...[...text.matchAll(/\bspecification, "([^"]+)"/gi)].flatMap(([, title = '']) =>
    missingSection('docs/contract.md', title, repository),
  ),
];

/** `docs/contract.md, "Events"`: a heading of a Markdown file; `citedPaths` checks whether it exists. */
export const namedSections: Check = ({ text }, path, repository) =>
  [...text.matchAll(/([\w./-]+\.md)`?, "([^"]+)"/g)].flatMap(([, cited = '', title = '']) => {
    const file = [cited, join(parentOf(path), cited) ?? cited].find((each) => repository.files.has(each));
    return file ? missingSection(file, title, repository) : [];
  });

/** `[text](path#anchor)`: a file or folder, and one of its headings. */
export const links: Check = ({ prose }, path, repository) => {
  if (!path.endsWith('.md')) return [];
  const targets = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  return targets
    .filter((target) => !/^[a-z]+:/.test(target))
    .flatMap((target) => {
      const [file = '', anchor] = target.split('#');
      const linked = file === '' ? path : join(parentOf(path), file);
      if (linked === undefined || !repository.has(linked)) return [`the link ${target} leads nowhere`];
      if (anchor === undefined || repository.headings(linked).map(anchorOf).includes(anchor)) return [];
      return [`${linked} has no heading for #${anchor}`];
    });
};

/** A path to the folder that a development machine may have beside the repository. */
export const pathsOutside: Check = ({ text }, path, repository) =>
  [...text.matchAll(/(?:\.\.\/)+shared\/[\w./-]*/g)]
    .filter(([cited]) => {
      const target = join(parentOf(path), cited);
      return path !== '.ci/run' && (target === undefined || !repository.has(target));
    })
    .map(([cited]) => `${cited} is outside the repository`);

/** In the runbook, text in double quotes is a log message of a process or a panel of the dashboard. */
export const operatorTexts: Check = ({ prose }, path, { files }) => {
  if (path !== 'docs/runbook.md') return [];
  const quoted = [...prose.replace(/`[^`]*`/g, '').matchAll(/"([^"]+)"/g)].map(([, text = '']) => text);
  const sources = [...files].filter(([file]) => /\/src\/.*\.ts$|\/dashboard\.json$/.test(file));
  return quoted
    .filter((text) => !sources.some(([, source]) => source.includes(text)))
    .map((text) => `no log message or panel is called "${text}"`);
};

const missingSection = (file: string, title: string, repository: Repository): string[] =>
  repository.headings(file).includes(title) ? [] : [`${file} has no section "${title}"`];

/** The anchor that GitHub gives a heading. */
const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
