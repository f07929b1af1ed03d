import type { Texts } from './texts.ts';

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (each) => entities[each] ?? '');

/** Isolates a value in a sentence, so that a title in the opposite direction does not reorder the words around it. */
export const isolated = (text: string): string => `<bdi>${escapeHtml(text)}</bdi>`;

const font = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans Arabic',Arial,sans-serif";

// Clients that ignore the style sheet show the light colors of the inline styles.
const styles = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .page { background: #17181c !important; }
  .card { background: #23252b !important; border-color: #3b3e47 !important; }
  .text, .card h1, .card h2 { color: #f0f1f4 !important; }
  .note, .note a { color: #b9bdc8 !important; }
  .link { color: #8fb4ff !important; }
  .button { background: #8fb4ff !important; color: #10204a !important; }
}`;

const shell = (
  texts: Pick<Texts, 'language' | 'direction'>,
  title: string,
  content: string,
) => `<!doctype html>
<html lang="${texts.language}" dir="${texts.direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<style>${styles}
</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f2f3f6">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" class="page" style="background:#f2f3f6">
<tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" class="card" dir="${texts.direction}" style="max-width:560px;background:#ffffff;border:1px solid #d8dbe2;border-radius:8px">
<tr><td style="padding:24px;text-align:start;${font}">
${content}
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;

export const paragraph = (content: string): string =>
  `<p class="text" style="margin:0 0 16px;font-size:16px;line-height:1.5;color:#1c1e24">${content}</p>`;

export const heading = (level: 1 | 2, text: string): string =>
  `<h${level} class="text" style="margin:0 0 12px;font-size:${level === 1 ? 20 : 17}px;line-height:1.3;color:#1c1e24">${escapeHtml(text)}</h${level}>`;

const buttonStyle =
  'display:inline-block;padding:12px 20px;border:0;border-radius:6px;background:#1d4ed8;color:#ffffff;font-size:16px;font-weight:600;text-decoration:none';

export const buttonLink = (url: string, label: string): string =>
  `<p style="margin:0 0 24px"><a class="button" href="${escapeHtml(url)}" style="${buttonStyle}">${escapeHtml(label)}</a></p>`;

/** A link below a paragraph, for messages with many. */
export const textLink = (url: string, label: string): string =>
  `<p style="margin:0 0 24px;font-size:16px;line-height:1.5"><a class="link" href="${escapeHtml(url)}" style="color:#1d4ed8">${escapeHtml(label)}</a></p>`;

/** Small text with links, below a message. */
export const note = (sentence: string, links: { url: string; label: string }[]): string => {
  const anchors = links.map(
    ({ url, label }) => `<a href="${escapeHtml(url)}" style="color:#545967">${escapeHtml(label)}</a>`,
  );
  return `<p class="note" style="margin:0;font-size:14px;line-height:1.6;color:#545967">${[escapeHtml(sentence), ...anchors].join('<br>')}</p>`;
};

/** A complete document. It loads nothing. */
export const htmlMessage = (
  texts: Pick<Texts, 'language' | 'direction'>,
  title: string,
  parts: string[],
): string => shell(texts, title, parts.join('\n'));

/**
 * The page on which a person confirms that they want to unsubscribe. The form posts to the address of the
 * page, which has the token.
 */
export const unsubscribeForm = (label: string): string => `<form method="post">
<input type="hidden" name="List-Unsubscribe" value="One-Click">
<button class="button" style="${buttonStyle};cursor:pointer">${escapeHtml(label)}</button>
</form>`;
