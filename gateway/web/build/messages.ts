import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import type { Plugin } from 'vite';

/**
 * Compiles the translations of a language (`messages/ar.json`: English text to translation) at build time, so that the
 * browser does not load the ICU message parser. The module `…/ar.json?messages` exports the translations; with
 * `?english` it exports the English texts with plural forms, except those that only staff see, which `?staff` exports.
 * All other English texts are their own keys.
 */
export function messages(): Plugin {
  return {
    name: 'messages',
    enforce: 'pre',
    load(id) {
      const [path, query] = id.split('?');
      if (!path?.endsWith('.json') || !['messages', 'english', 'staff'].includes(query ?? '')) return null;
      this.addWatchFile(path);
      const texts: [string, string][] = Object.entries(JSON.parse(readFileSync(path, 'utf8')));
      const chosen =
        query === 'messages'
          ? texts
          : texts
              .filter(([text]) => text.includes(', plural,') && isForStaff(text) === (query === 'staff'))
              .map(([text]) => [text, text] as const);
      const compiled = Object.fromEntries(chosen.map(([key, text]) => [key, compileMessage(text)]));
      return { code: `export const messages = ${JSON.stringify(compiled)};`, moduleType: 'js', map: null };
    },
  };
}

const source = fileURLToPath(new URL('../src', import.meta.url));
const contents = (pattern: string): string =>
  globSync(pattern, { cwd: source })
    .map((file) => readFileSync(`${source}/${file}`, 'utf8'))
    .join('\n');
const staffCode = contents('{console,grading,teaching}/**/*.{ts,tsx}');
const otherCode = contents('{account,login,routes,shared,student}/**/*.{ts,tsx}');

/** Whether only the pages of graders, teachers and administrators show a text. */
const isForStaff = (text: string): boolean => staffCode.includes(text) && !otherCode.includes(text);
