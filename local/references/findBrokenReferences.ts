import {
  type Check,
  contractSections,
  decisionNumbers,
  links,
  namedSections,
  operatorTexts,
  pathsOutside,
  ruleNumbers,
} from './citations.ts';
import { citedPaths } from './citedPaths.ts';
import { linesOf } from './lines.ts';
import { type Files, Repository } from './repository.ts';

/** A reference that does not resolve. */
export interface BrokenReference {
  path: string;
  line: number;
  reason: string;
}

const checks: Check[] = [
  ruleNumbers,
  decisionNumbers,
  contractSections,
  namedSections,
  links,
  citedPaths,
  operatorTexts,
  pathsOutside,
];

/** Finds every citation of a rule, decision, section, file or link that does not resolve within the files. */
export function findBrokenReferences(files: Files): BrokenReference[] {
  const repository = new Repository(files);
  const inFiles = [...files].flatMap(([path, text]) =>
    (linesOf(path, text) ?? []).flatMap((line) =>
      checks
        .flatMap((check) => check(line, path, repository))
        .map((reason) => ({ path, line: line.number, reason })),
    ),
  );
  return [...inFiles, ...irregularDecisions(repository), ...outdatedExamples(files)];
}

/** Decision records are numbered without gaps, have their number in the title, and are all in the index. */
function irregularDecisions({ files, decisions }: Repository): BrokenReference[] {
  const index = 'docs/decisions/README.md';
  const last = Math.max(0, ...decisions.keys());
  const missing = Array.from({ length: last }, (_, position) => position + 1)
    .filter((number) => !decisions.has(number))
    .map((number) => ({ path: index, line: 1, reason: `there is no decision ${number}, but a later one` }));
  const irregular = [...decisions].flatMap(([number, path]) => [
    ...(files.get(path)?.startsWith(`# ${number}. `)
      ? []
      : [{ path, line: 1, reason: `the title does not begin with "# ${number}. "` }]),
    ...(files.get(index)?.includes(`(${path.slice('docs/decisions/'.length)})`)
      ? []
      : [{ path: index, line: 1, reason: `the index does not list ${path}` }]),
  ]);
  return [...missing, ...irregular];
}

/** The examples of the style guide are quoted from the file that the sentence before them names. */
function outdatedExamples(files: Files): BrokenReference[] {
  const path = 'docs/style.md';
  const text = files.get(path) ?? '';
  return [...text.matchAll(/`([^`\n]+\.ts)`[^`]*\n\n```ts\n([\s\S]*?)```/g)]
    .filter(([, source = '', code = '']) => !files.get(source)?.includes(code))
    .map(({ 1: source, index }) => ({
      path,
      line: text.slice(0, index).split('\n').length,
      reason: `the example is not in ${source}`,
    }));
}
