import type { Plugin } from 'vite';

/**
 * Lets index.html preload the font of all pages. Without it the font is known when the first page is shown, which then moves.
 * @param file what the name of the font's file begins with
 */
export const preloadFont = (file: string): Plugin => ({
  name: 'preload-font',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(_html, { bundle = {} }) {
      const path = Object.keys(bundle).find((each) => each.startsWith(`assets/${file}-`));
      if (!path) throw new Error(`there is no font ${file}`);
      const attrs = { rel: 'preload', href: `/${path}`, as: 'font', type: 'font/woff2', crossorigin: true };
      return [{ tag: 'link', attrs, injectTo: 'head' }];
    },
  },
});
