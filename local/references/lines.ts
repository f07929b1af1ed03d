/** A line of a file with the parts that the checks examine. */
export interface Line {
  number: number;
  text: string;
  /** The part in which paths are cited: Markdown prose without code, or a comment in a program. */
  prose: string;
  /** The backticked parts of Markdown prose. */
  code: string[];
  /** Whether the line is in a fenced Markdown block: a command or a diagram. */
  fenced: boolean;
}

const comments: Record<string, RegExp> = {
  ts: /(?:^|\s)(?:\/\/|\/?\*+)\s?(.*)$/,
  js: /(?:^|\s)(?:\/\/|\/?\*+)\s?(.*)$/,
  cjs: /(?:^|\s)(?:\/\/|\/?\*+)\s?(.*)$/,
  proto: /(?:^|\s)\/\/\s?(.*)$/,
  sql: /(?:^|\s)(?:--|\/?\*+)\s?(.*)$/,
  yaml: /(?:^|\s)#\s?(.*)$/,
  yml: /(?:^|\s)#\s?(.*)$/,
  sh: /(?:^|\s)#\s?(.*)$/,
};

/** Splits a file into lines; undefined for a kind of file without citations. */
export function linesOf(path: string, text: string): Line[] | undefined {
  if (path.endsWith('.md')) return markdownLines(text);
  const extension = /\.(\w+)$/.exec(path)?.[1];
  const comment = comments[extension ?? 'sh'];
  if (!comment) return undefined;
  return text.split('\n').map((line, index) => ({
    number: index + 1,
    text: line,
    prose: comment.exec(line)?.[1] ?? '',
    code: [],
    fenced: false,
  }));
}

function markdownLines(text: string): Line[] {
  let fenced = false;
  return text.split('\n').map((line, index) => {
    const fence = /^\s*```/.test(line);
    if (fence) fenced = !fenced;
    const code = fenced || fence ? [] : [...line.matchAll(/`([^`]+)`/g)].map(([, span = '']) => span);
    return { number: index + 1, text: line, prose: fenced ? '' : line, code, fenced: fenced || fence };
  });
}
