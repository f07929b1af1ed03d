import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Field } from '../shared/form/Field.tsx';
import { PageForm } from '../shared/form/PageForm.tsx';
import { useFormRequest } from '../shared/form/useFormRequest.ts';
import { useTranslation } from '../shared/language/useTranslation.ts';
import { changePassword, sessionsQuery } from './accountRequests.ts';

export function PasswordSection() {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { isBusy, error, errorOf, submit } = useFormRequest(['password', 'current_password']);
  const [isChanged, setChanged] = useState(false);
  const [version, setVersion] = useState(0);
  const send = async (form: FormData) => {
    setChanged(false);
    const [password, current] = [String(form.get('password')), String(form.get('current_password'))];
    if (!(await submit(() => changePassword(password, current)))) return;
    setChanged(true);
    setVersion((before) => before + 1);
    void queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey });
  };
  return (
    <section className="card account-part" aria-labelledby="account-password">
      <h2 id="account-password">{t('Password')}</h2>
      <PageForm
        aria-labelledby="account-password"
        action={t('Change the password')}
        isBusy={isBusy}
        error={error}
        statusText={isChanged ? t('Changed. Your other sessions have ended.') : ''}
        onSubmit={(form) => void send(form)}
      >
        <div className="field-pair" key={version}>
          <Field
            label={t('Current password')}
            name="current_password"
            type="password"
            autoComplete="current-password"
            error={errorOf('current_password')}
          />
          <Field
            label={t('New password')}
            name="password"
            type="password"
            maxLength={128}
            autoComplete="new-password"
            hint={t('At least 8 characters.')}
            error={errorOf('password')}
          />
        </div>
      </PageForm>
    </section>
  );
}
