import type { Plugin } from 'vite';

/** Writes the time zone of the school into the page of `npm run dev:web`, as the gateway does when it serves the built one. */
export const timeZone = (name: string): Plugin => ({
  name: 'time-zone',
  apply: 'serve',
  transformIndexHtml: (html) =>
    html.replace('name="time-zone" content="UTC"', `name="time-zone" content="${name}"`),
});
