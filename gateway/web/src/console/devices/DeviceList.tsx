import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmDialog } from '../../shared/form/ConfirmDialog.tsx';
import { useFormRequest } from '../../shared/form/useFormRequest.ts';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { PagedTable } from '../../shared/list/PagedTable.tsx';
import { RowButton } from '../../shared/list/RowButton.tsx';
import { Time } from '../../shared/time/Time.tsx';
import { ErrorNotice } from '../../shared/ui/ErrorNotice.tsx';
import { EmptyState } from '../../shared/ui/states.tsx';
import { type Device, devicesKey, devicesQuery, removeDevice, setDisabled } from './deviceRequests.ts';

const typeNames: Record<Device['device_type'], string> = {
  web: 'Browser',
  app: 'Mobile app',
  desktop: 'Desktop program',
};

/** Lists a user's login devices, and disables, enables or forgets them. */
export function DeviceList({ userId, page }: { userId: number; page: number }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const devices = useQuery(devicesQuery(userId, page));
  const { isBusy, error, submit } = useFormRequest();
  const [open, setOpen] = useState<{ kind: 'disable' | 'remove'; device: Device }>();
  const refreshAfter = async (work: Promise<void>) => {
    await work;
    await queryClient.invalidateQueries({ queryKey: devicesKey(userId) });
  };
  const nameOf = ({ id, device_name }: Device) => device_name ?? t('Device {id}', { id: String(id) });

  return (
    <>
      <ErrorNotice text={error} />
      <PagedTable
        list={devices}
        empty={
          <EmptyState title={t('No devices')}>
            <p>{t('This person has not logged in yet, or their devices were removed.')}</p>
          </EmptyState>
        }
        label={t('Devices')}
        columns={[
          { name: t('Device'), cell: (device) => <span className="written">{nameOf(device)}</span> },
          { name: t('Kind'), cell: ({ device_type }) => t(typeNames[device_type]) },
          { name: t('Last login'), cell: ({ last_login_at }) => <Time at={last_login_at} /> },
          {
            name: t('Status'),
            cell: ({ is_disabled }) =>
              is_disabled ? <span className="badge bad">{t('Disabled')}</span> : t('Can log in'),
          },
        ]}
        actions={(device) => (
          <>
            {device.is_disabled ? (
              <RowButton
                text={t('Enable')}
                label={t('Enable {name}', { name: nameOf(device) })}
                isDisabled={isBusy}
                onPress={() => void submit(() => refreshAfter(setDisabled(device.id, false)))}
              />
            ) : (
              <RowButton
                text={t('Disable')}
                label={t('Disable {name}', { name: nameOf(device) })}
                onPress={() => setOpen({ kind: 'disable', device })}
              />
            )}
            <RowButton
              text={t('Remove')}
              label={t('Remove {name}', { name: nameOf(device) })}
              onPress={() => setOpen({ kind: 'remove', device })}
            />
          </>
        )}
      />
      {open?.kind === 'disable' && (
        <ConfirmDialog
          title={t('Disable {name}?', { name: nameOf(open.device) })}
          action={t('Disable')}
          onConfirm={() => refreshAfter(setDisabled(open.device.id, true))}
          onClose={() => setOpen(undefined)}
        >
          <p>{t('Its sessions end within two seconds. No one can log in with it until it is enabled.')}</p>
        </ConfirmDialog>
      )}
      {open?.kind === 'remove' && (
        <ConfirmDialog
          title={t('Remove {name}?', { name: nameOf(open.device) })}
          action={t('Remove')}
          onConfirm={() => refreshAfter(removeDevice(open.device.id))}
          onClose={() => setOpen(undefined)}
        >
          <p>
            {t('Its sessions end and it is no longer listed here. This person can log in with it again.')}
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}
