import type { Settings } from './readConfig.ts';

/** Renders settings as the Markdown table of a README. A contract test compares every README with its table. */
export function settingsTable(settings: Settings): string {
  const rows = Object.values(settings)
    .flatMap((setting) => [setting, ...(setting.alternative ? [setting.alternative] : [])])
    .toSorted((a, b) => a.name.localeCompare(b.name))
    .map(({ name, kind, about, defaultText, required }) => {
      const fallback = describeDefault(defaultText, required);
      return `| \`${name}\` | ${kind} | ${fallback} | ${about} |`;
    });
  const files = 'Instead of a value, `NAME_FILE` may name a file that holds it.';
  return [files, '', '| Variable | Type | Default | Meaning |', '|---|---|---|---|', ...rows].join('\n');
}

function describeDefault(text: string | undefined, required: boolean): string {
  if (text === undefined) return required ? '**required**' : 'none';
  // An empty list.
  return text === ',' ? 'none' : `\`${text}\``;
}
