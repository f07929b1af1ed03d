import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import { DownloadButton } from '../../shared/download/DownloadButton.tsx';
import { ConfirmDialog } from '../../shared/form/ConfirmDialog.tsx';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { personQuery } from '../pickers/personQueries.ts';
import { erasePerson, erasureQuery, savePersonalData, usersKey } from './userRequests.ts';

interface Props {
  userId: number;
  name: string;
  isDeleted?: boolean;
}

/** Downloads or erases the data stored about a user. */
export function Erasure({ userId, name, isDeleted = false }: Props) {
  const { t, formatTime } = useTranslation();
  const queryClient = useQueryClient();
  // Requesting an erasure deletes the account immediately, so an existing account has no request.
  const erasure = useQuery({ ...erasureQuery(userId), enabled: isDeleted });
  const [isAsking, setAsking] = useState(false);
  const erase = async () => {
    await erasePerson(userId);
    await queryClient.invalidateQueries(erasureQuery(userId));
    void queryClient.invalidateQueries(personQuery(userId));
    void queryClient.invalidateQueries({ queryKey: usersKey });
  };
  const { data } = erasure;

  return (
    <section className="section prose" aria-labelledby="personal-data">
      <h2 id="personal-data">{t('Personal data')}</h2>
      <p className="quiet" role="status">
        {data?.status === 'done'
          ? t('All data about this person was erased: {time}.', {
              time: formatTime(data.completed_at ?? data.requested_at),
            })
          : data?.status === 'pending'
            ? t('Data about this person is being erased throughout the school.')
            : isDeleted
              ? t('This account does not exist or was deleted. Data stored about it can still be erased.')
              : t('The archive contains everything stored about this person, including all files.')}
      </p>
      {!data && (
        <div className="form-buttons">
          {!isDeleted && (
            <DownloadButton text={t('Download the archive')} onSave={() => savePersonalData(userId)} />
          )}
          <Button className="button danger" onPress={() => setAsking(true)}>
            {t('Erase personal data')}
          </Button>
        </div>
      )}
      {isAsking && (
        <ConfirmDialog
          title={t('Erase everything about {name}?', { name })}
          action={t('Erase personal data')}
          onConfirm={erase}
          onClose={() => setAsking(false)}
        >
          <p>
            {t(
              'The account, the name and all submitted files are erased in every part of the school. Grades are kept without a name, unless the school has chosen otherwise. This cannot be undone.',
            )}
          </p>
        </ConfirmDialog>
      )}
    </section>
  );
}
