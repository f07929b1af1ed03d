import { useTranslation } from '../shared/language/useTranslation.ts';

export function PasswordField({ autoFocus = false }: { autoFocus?: boolean }) {
  const { t } = useTranslation();
  return (
    <label className="field">
      <span className="field-label">{t('Password')}</span>
      <input
        className="input"
        name="password"
        type="password"
        autoComplete="current-password"
        // biome-ignore lint/a11y/noAutofocus: the dialog has no other field
        autoFocus={autoFocus}
        required
      />
    </label>
  );
}
