import type { ImportReport } from './importClient.ts';

const maxRowsShown = 50;

/** Prints invalid rows and warnings, then the number of changes by file. */
export function printImportReport({ rows, summary, ignored }: ImportReport): void {
  const invalid = rows.filter(({ action }) => action === 'error');
  const warnings = rows.filter(({ action, messages }) => action !== 'error' && messages.length > 0);
  for (const [title, listed] of [
    ['Invalid rows', invalid],
    ['Warnings', warnings],
  ] as const) {
    if (listed.length === 0) continue;
    process.stdout.write(`\n${title}:\n`);
    for (const { file, line, messages } of listed.slice(0, maxRowsShown))
      process.stdout.write(`  ${file}:${line}  ${messages.map(withoutControlCharacters).join(' ')}\n`);
    if (listed.length > maxRowsShown) process.stdout.write(`  and ${listed.length - maxRowsShown} more\n`);
  }
  process.stdout.write('\n');
  for (const [file, counts] of Object.entries(summary)) {
    const parts = Object.entries(counts).flatMap(([action, count]) =>
      count > 0 ? [`${count} ${action}`] : [],
    );
    if (parts.length > 0) process.stdout.write(`${file.padEnd(12)} ${parts.join(', ')}\n`);
  }
  if (ignored.length > 0)
    process.stdout.write(`ignored      ${ignored.map(withoutControlCharacters).join(', ')}\n`);
  process.stdout.write('\n');
}

// File content must not control the terminal.
function withoutControlCharacters(text: string): string {
  return text.replace(/\p{Cc}/gu, ' ');
}
