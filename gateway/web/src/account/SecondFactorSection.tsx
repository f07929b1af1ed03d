import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import { useFormRequest } from '../shared/form/useFormRequest.ts';
import { useTranslation } from '../shared/language/useTranslation.ts';
import { BusyButton } from '../shared/ui/BusyButton.tsx';
import { ErrorNotice } from '../shared/ui/ErrorNotice.tsx';
import { meQuery, requestFactor } from './accountRequests.ts';
import { DisableDialog, EnableDialog, RecoveryCodesDialog } from './SecondFactorDialogs.tsx';

type Open =
  | { dialog: 'enable'; secret: string; address: string }
  | { dialog: 'codes'; codes: string[] }
  | { dialog: 'disable' };

/** Turns the second factor, a code from an authenticator app, on or off. */
export function SecondFactorSection({ isEnabled }: { isEnabled: boolean }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { isBusy, error, submit } = useFormRequest();
  const [open, setOpen] = useState<Open>();
  const close = () => {
    setOpen(undefined);
    void queryClient.invalidateQueries({ queryKey: meQuery.queryKey });
  };
  const begin = () =>
    submit(async () => {
      const { secret, otpauth_url: address } = await requestFactor();
      setOpen({ dialog: 'enable', secret, address });
    });
  return (
    <section className="card account-part" aria-labelledby="account-factor">
      <h2 id="account-factor">{t('Second factor')}</h2>
      <p className="quiet">
        {isEnabled
          ? t('It is on: logging in takes a code of your authenticator app.')
          : t('With a second factor, logging in also requires a code from an app on your phone.')}
      </p>
      <ErrorNotice text={error} />
      <div>
        {isEnabled ? (
          <Button className="button" onPress={() => setOpen({ dialog: 'disable' })}>
            {t('Turn off the second factor')}
          </Button>
        ) : (
          <BusyButton className="button" isBusy={isBusy} onPress={() => void begin()}>
            {t('Set up a second factor')}
          </BusyButton>
        )}
      </div>
      {open?.dialog === 'enable' && (
        <EnableDialog
          secret={open.secret}
          address={open.address}
          onEnabled={(codes) => setOpen({ dialog: 'codes', codes })}
          onClose={close}
        />
      )}
      {open?.dialog === 'codes' && <RecoveryCodesDialog codes={open.codes} onClose={close} />}
      {open?.dialog === 'disable' && <DisableDialog onClose={close} />}
    </section>
  );
}
