import type { Plugin } from 'vite';

/**
 * Makes index.html preload the font that all pages use. Otherwise the browser discovers it only when the first page is
 * rendered, and the layout shifts.
 * @param file prefix of the font's file name
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
