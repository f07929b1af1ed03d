import type { Plugin } from 'vite';

/** Writes the school's time zone into the page of `npm run dev:web`, as the gateway does for the built page. */
export const timeZone = (name: string): Plugin => ({
  name: 'time-zone',
  apply: 'serve',
  transformIndexHtml: (html) =>
    html.replace('name="time-zone" content="UTC"', `name="time-zone" content="${name}"`),
});
