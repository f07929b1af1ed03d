/** The colours of annotated PDFs. There is one accent, the red pen of a grader; the rest is grey. */
export const palette = {
  accent: '#c2382b',
  highlighter: '#ffd84d',
  ink: '#1f2328',
  grey: '#6b7280',
  line: '#e3e5e8',
  paper: '#ffffff',
} as const;

/** Text colour on white: dark ink where `color` would be unreadable. */
export const readable = (color: string): string => (luminance(color) > 0.3 ? palette.ink : color);

/** Red, green and blue from 0 to 255. */
export const channels = (color: string): [red: number, green: number, blue: number] => {
  const value = Number.parseInt(color.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
};

// Relative luminance as in WCAG 2: 0 is black, 1 is white.
function luminance(color: string): number {
  const [red, green, blue] = channels(color).map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
