import type { Check } from './citations.ts';
import { join, parentOf, type Repository } from './repository.ts';

const extension = /[\w*>}]\.(ts|cjs|js|md|sql|ya?ml|proto|sh)$/;
const path = /^[\w.@*{},<>…-]+(\/[\w.@*{},<>…-]+)*\/?$/;
// Files that the build or npm creates, which no checkout contains; and decisions by number, which are checked
// separately.
const exempt = /(^|\/)(generated|node_modules)(\/|$)|^docs\/decisions\/\d{4}$/;

/** A path of the repository in a comment or in backticks: `src/main.ts`, `k8s/services/<name>/`. */
export const citedPaths: Check = (line, file, repository) => {
  const isMarkdown = file.endsWith('.md');
  const words = isMarkdown ? wordsOf(line.fenced ? [line.text] : line.code) : commentWords(line.prose);
  return [...new Set(words)]
    .filter((word) => looksLikePath(word, line.fenced, isMarkdown, repository))
    .filter((word) => !resolves(word, file, repository))
    .map((word) => `there is no ${word}`);
};

const wordsOf = (parts: string[]): string[] =>
  parts.flatMap((part) => part.split(/[\s"'()]+/)).map((word) => word.replace(/[.,;:]+$/, ''));

const commentWords = (comment: string): string[] =>
  [...comment.matchAll(/(?<![\w/:.$@-])[\w.@*{},<>-]+(?:\/[\w.@*{},<>-]+)*\/?/g)].map(([word]) =>
    word.replace(/[.,;:]+$/, ''),
  );

function looksLikePath(
  word: string,
  fenced: boolean,
  isMarkdown: boolean,
  { roots, ignored }: Repository,
): boolean {
  if (!path.test(word) || exempt.test(word) || word.endsWith('.d.ts') || ignored.has(word)) return false;
  const [first = ''] = word.split('/');
  if (word.includes('/') && (roots.includes(first) || first === '.ci')) return true;
  if (fenced || !/^[\w.{*<]/.test(word)) return false;
  if (/^(src|migrations)\//.test(word)) return true;
  // In a comment `pdf.js` is a library.
  return extension.test(word) && (isMarkdown || word.includes('/') || !word.endsWith('.js'));
}

/**
 * Relative to the citing file, the folders above it and their `src`; from outside the workspaces also relative to each
 * workspace. A name without a folder resolves when any folder has a file of that name.
 */
function resolves(word: string, file: string, repository: Repository): boolean {
  const sources = [word, ...sourceOf(word)];
  if (!word.includes('/')) return sources.some((each) => repository.hasFileNamed(each));
  const bases = basesOf(file, repository);
  return sources.some((each) =>
    bases.some((base) => {
      const target = join(base, each);
      return target !== undefined && repository.has(target);
    }),
  );
}

/** The source of a file that the compiler writes. */
const sourceOf = (word: string): string[] =>
  word.endsWith('.js') ? [word.replace(/(^|\/)dist\//, '$1src/').replace(/\.js$/, '.ts')] : [];

function basesOf(file: string, { workspaces }: Repository): string[] {
  const above: string[] = [];
  for (let folder = parentOf(file); folder !== ''; folder = parentOf(folder)) above.push(folder);
  const isInWorkspace = workspaces.some((each) => above.includes(each));
  const folders = [...above, '', ...(isInWorkspace ? [] : workspaces)];
  return folders.flatMap((folder) => [folder, `${folder}/src`]);
}
