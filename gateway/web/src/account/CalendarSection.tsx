import { useState } from 'react';
import { Button } from 'react-aria-components';
import { useFormRequest } from '../shared/form/useFormRequest.ts';
import { useTranslation } from '../shared/language/useTranslation.ts';
import { BusyButton } from '../shared/ui/BusyButton.tsx';
import { ErrorNotice } from '../shared/ui/ErrorNotice.tsx';
import { SecretDialog } from '../shared/ui/SecretDialog.tsx';
import { createCalendar, endCalendar } from './connectionRequests.ts';

/** Creates the address to which calendar applications subscribe. */
export function CalendarSection() {
  const { t } = useTranslation();
  const { isBusy, error, submit } = useFormRequest();
  const [url, setUrl] = useState<string>();
  const [isEnded, setEnded] = useState(false);
  const create = () =>
    submit(async () => {
      setEnded(false);
      setUrl(await createCalendar());
    });
  const end = async () => setEnded(await submit(endCalendar));
  return (
    <section className="card account-part" aria-labelledby="account-calendar">
      <h2 id="account-calendar">{t('Calendar')}</h2>
      <p className="quiet">
        {t(
          'Subscribe to your closing times in the calendar of your phone or computer. Everyone who knows the address can read them. A new address ends the one before.',
        )}
      </p>
      <ErrorNotice text={error} />
      <div className="form-buttons">
        <BusyButton className="button" isBusy={isBusy} onPress={() => void create()}>
          {t('Create a calendar address')}
        </BusyButton>
        <Button className="button" isDisabled={isBusy} onPress={() => void end()}>
          {t('End the address')}
        </Button>
        <span role="status" className="quiet small">
          {isEnded ? t('The address has ended.') : ''}
        </span>
      </div>
      {url !== undefined && (
        <SecretDialog
          title={t('The address of your calendar')}
          about={t('Add it to your calendar application as a subscription. It is shown only once.')}
          secret={url}
          onClose={() => setUrl(undefined)}
        />
      )}
    </section>
  );
}
