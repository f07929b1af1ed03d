/** The files of a repository by path. Files without readable text have an empty text. */
export type Files = ReadonlyMap<string, string>;

/** What references can point to: files, folders, headings, and the numbers that docs/ defines. */
export class Repository {
  readonly files: Files;
  /** The rules of docs/contract.md, by number. */
  readonly rules: ReadonlySet<number>;
  /** The decision records, by number. */
  readonly decisions: ReadonlyMap<number, string>;
  /** The entries of .gitignore: files that a checkout may have. */
  readonly ignored: ReadonlySet<string>;
  readonly #folders = new Set<string>(['']);

  constructor(files: Files) {
    this.files = files;
    for (const path of files.keys())
      for (let folder = parentOf(path); folder !== ''; folder = parentOf(folder)) this.#folders.add(folder);
    this.ignored = new Set(
      (files.get('.gitignore') ?? '').split('\n').map((line) => line.replace(/^\//, '')),
    );
    this.rules = new Set(numbersIn(files.get('docs/contract.md') ?? '', /^\*\*D(\d+)\b/gm));
    this.decisions = new Map(
      [...files.keys()].flatMap((path) => {
        const number = /^docs\/decisions\/(\d{4})-[^/]+\.md$/.exec(path)?.[1];
        return number ? [[Number(number), path] as const] : [];
      }),
    );
  }

  /** The top-level folders. */
  get roots(): string[] {
    return [...this.#folders].filter((folder) => folder !== '' && !folder.includes('/'));
  }

  /** The folders with their own package.json, except the root. */
  get workspaces(): string[] {
    return [...this.files.keys()].filter((path) => path.endsWith('/package.json')).map(parentOf);
  }

  /** Whether there is a file or folder at a path, which may be a pattern. */
  has(path: string): boolean {
    const wanted = path.replace(/\/$/, '');
    if (!/[*{<…]/.test(wanted)) return this.files.has(wanted) || this.#folders.has(wanted);
    const pattern = new RegExp(`^${patternOf(wanted)}$`);
    return [...this.files.keys(), ...this.#folders].some((each) => pattern.test(each));
  }

  /** Whether any folder contains a file with a name, which may be a pattern. */
  hasFileNamed(name: string): boolean {
    const pattern = new RegExp(`(^|/)${patternOf(name)}$`);
    return [...this.files.keys()].some((path) => pattern.test(path));
  }

  /** The headings of a Markdown file without their markup. */
  headings(path: string): string[] {
    const text = (this.files.get(path) ?? '').replace(/^```[\s\S]*?^```/gm, '');
    return [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => title.replaceAll('`', '').trim());
  }

  /** The numbers of the endpoints in docs/contract.md. */
  get endpoints(): Set<number> {
    return new Set(this.headings('docs/contract.md').flatMap((title) => numbersIn(title, /^(\d+)\. /g)));
  }
}

export const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** A path relative to a folder, without `.` and `..`; undefined when it leaves the repository. */
export function join(folder: string, path: string): string | undefined {
  const segments: string[] = [];
  for (const segment of `${folder}/${path}`.split('/')) {
    if (segment === '..') {
      if (segments.pop() === undefined) return undefined;
    } else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return segments.join('/');
}

const numbersIn = (text: string, pattern: RegExp): number[] =>
  [...text.matchAll(pattern)].map(([, digits]) => Number(digits));

/** `*`, `{a,b}`, `<name>` and `…` of a cited path as a regular expression. */
const patternOf = (path: string): string =>
  path
    .replace(/[.+?^$()|[\]\\]/g, '\\$&')
    .replace(/<[^>]*>/g, '[^/]+')
    .replaceAll('**', '…')
    .replaceAll('*', '[^/]*')
    .replaceAll('…', '.*')
    .replace(/\{([^}]*)\}/g, (_, options: string) => `(${options.replaceAll(',', '|')})`);
