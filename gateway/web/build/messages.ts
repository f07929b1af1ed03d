import { readFileSync } from 'node:fs';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import type { Plugin } from 'vite';

/**
 * Compiles the translations of a language (`messages/ar.json`: English text to translation) at build time, so that the
 * browser does not load the ICU message parser. The module `…/ar.json?messages` exports the translations; with
 * `?english` it exports the English texts with plural forms. All other English texts are their own keys.
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
