import { readFileSync } from 'node:fs';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import type { Plugin } from 'vite';

/**
 * Compiles the texts of a language (`messages/ar.json`: English text to translation) when the application is built, so that
 * the parser of ICU messages is not loaded in the browser. The module `…/ar.json?messages` has the translations; with
 * `?english`, the English texts that have plural forms. The others are their own keys.
 */
export function messages(): Plugin {
  return {
    name: 'messages',
    enforce: 'pre',
    load(id) {
      const [path, query] = id.split('?');
      if (!path?.endsWith('.json') || (query !== 'messages' && query !== 'english')) return null;
      this.addWatchFile(path);
      const texts: [string, string][] = Object.entries(JSON.parse(readFileSync(path, 'utf8')));
      const chosen =
        query === 'messages'
          ? texts
          : texts
              .filter(([english]) => english.includes(', plural,'))
              .map(([english]) => [english, english] as const);
      const compiled = Object.fromEntries(chosen.map(([key, text]) => [key, compileMessage(text)]));
      return { code: `export const messages = ${JSON.stringify(compiled)};`, moduleType: 'js', map: null };
    },
  };
}
