import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Choice } from '../shared/form/Field.tsx';
import { PageForm } from '../shared/form/PageForm.tsx';
import { useFormRequest } from '../shared/form/useFormRequest.ts';
import { languages } from '../shared/language/languages.ts';
import { useTranslation } from '../shared/language/useTranslation.ts';
import { Loaded } from '../shared/ui/Loaded.tsx';
import { changeNotifications, type Notifications, notificationsQuery } from './connectionRequests.ts';

const kindTexts: Record<string, string> = {
  'submission.received': 'Your submission was received',
  'grades.released': 'Grades were released',
  'work.published': 'Work was published',
  'work.due': 'Work is due within 24 hours',
  'review.answered': 'A review was answered',
  'review.opened': 'A student asks for a review',
  'grading.finished': 'All submissions for an item are graded',
};

/** Chooses which messages the school sends by mail, and when. */
export function NotificationsSection() {
  const { t } = useTranslation();
  const notifications = useQuery(notificationsQuery);
  return (
    <section className="card account-part" aria-labelledby="account-notifications">
      <h2 id="account-notifications">{t('Notifications by mail')}</h2>
      <Loaded query={notifications}>{(data) => <NotificationsForm stored={data} />}</Loaded>
    </section>
  );
}

function NotificationsForm({ stored }: { stored: Notifications }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { isBusy, error, submit } = useFormRequest();
  const [isSaved, setSaved] = useState(false);
  const kinds = Object.entries(stored.kinds);
  const save = async (form: FormData) => {
    setSaved(false);
    const chosen = {
      language: form.get('language'),
      kinds: Object.fromEntries(kinds.map(([kind]) => [kind, form.get(kind)])),
    } as Notifications;
    const isDone = await submit(async () => {
      queryClient.setQueryData(notificationsQuery.queryKey, await changeNotifications(chosen));
    });
    setSaved(isDone);
  };
  return (
    <PageForm
      aria-labelledby="account-notifications"
      action={t('Save')}
      isBusy={isBusy}
      error={error}
      statusText={isSaved ? t('Saved') : ''}
      onSubmit={(form) => void save(form)}
    >
      <div className="field-pair">
        <Choice
          label={t('Language of the messages')}
          name="language"
          defaultValue={stored.language}
          options={Object.entries(languages)}
        />
        {kinds.map(([kind, mode]) => (
          <Choice
            key={kind}
            label={t(kindTexts[kind] ?? kind)}
            name={kind}
            defaultValue={mode}
            options={[
              ['mail', t('A message at once')],
              ['digest', t('Once a day, together')],
              ['off', t('Never')],
            ]}
          />
        ))}
      </div>
    </PageForm>
  );
}
