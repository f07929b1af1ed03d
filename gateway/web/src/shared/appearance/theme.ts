export const themes = ['system', 'light', 'dark'] as const;

export type Theme = (typeof themes)[number];

/** The English names of the themes. */
export const themeNames: Record<Theme, string> = { system: 'System', light: 'Light', dark: 'Dark' };

const key = 'gradeway.theme';

export function chosenTheme(): Theme {
  const chosen = localStorage.getItem(key);
  return themes.find((theme) => theme === chosen) ?? 'system';
}

/** The colours follow `data-theme`, or the system setting without it (tokens.css). */
export function showTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

export function chooseTheme(theme: Theme): void {
  localStorage.setItem(key, theme);
  showTheme(theme);
}
