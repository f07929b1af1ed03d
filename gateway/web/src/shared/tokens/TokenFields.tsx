import { Check, Choice, Field } from '../form/Field.tsx';
import { useTranslation } from '../language/useTranslation.ts';
import { validDays } from './expiry.ts';
import type { scopeTexts } from './scopeTexts.ts';
import type { Scope } from './tokenTypes.ts';

interface NameProps {
  label: string;
  defaultValue?: string | undefined;
  error: string | undefined;
}

export function TokenNameField({ label, defaultValue, error }: NameProps) {
  return (
    <Field label={label} name="name" maxLength={100} defaultValue={defaultValue} error={error} autoFocus />
  );
}

interface ScopesProps {
  offered: typeof scopeTexts;
  chosen?: readonly Scope[];
  error: string | undefined;
}

/** Chooses what a token permits. The form submits the names of the scopes as `scopes`. */
export function ScopeFields({ offered, chosen = [], error }: ScopesProps) {
  const { t } = useTranslation();
  return (
    <fieldset className="checks">
      <legend className="field-label">{t('Permissions')}</legend>
      {offered.map(([scope, english]) => (
        <Check
          key={scope}
          label={t(english)}
          name="scopes"
          value={scope}
          defaultChecked={chosen.includes(scope)}
        />
      ))}
      {error !== undefined && (
        <p className="field-error" role="alert" dir="auto">
          {error}
        </p>
      )}
    </fieldset>
  );
}

export function ExpiryField({ error }: { error: string | undefined }) {
  const { t } = useTranslation();
  return (
    <Choice
      label={t('Valid for')}
      name="valid_days"
      defaultValue="90"
      options={validDays.map((days) => [String(days), t('{days} days', { days })] as const)}
      error={error}
    />
  );
}
