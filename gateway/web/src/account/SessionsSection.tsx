import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Button } from 'react-aria-components';
import { useFormRequest } from '../shared/form/useFormRequest.ts';
import { useTranslation } from '../shared/language/useTranslation.ts';
import { Time } from '../shared/time/Time.tsx';
import { ErrorNotice } from '../shared/ui/ErrorNotice.tsx';
import { Loaded } from '../shared/ui/Loaded.tsx';
import { endSession, type OwnSession, sessionsQuery } from './accountRequests.ts';

const typeNames = { web: 'Browser', app: 'Mobile app', desktop: 'Desktop program' } as const;

/** Lists the user's sessions. */
export function SessionsSection() {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const sessions = useQuery(sessionsQuery);
  const { isBusy, error, submit } = useFormRequest();
  const end = (id: number) =>
    submit(async () => {
      await endSession(id);
      await queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey });
    });
  return (
    <section className="card account-part" aria-labelledby="account-sessions">
      <h2 id="account-sessions">{t('Sessions')}</h2>
      <ErrorNotice text={error} />
      <Loaded query={sessions}>
        {(data) => (
          <ul className="sessions" aria-labelledby="account-sessions">
            {data.map((each) => (
              <SessionLine key={each.id} session={each} isBusy={isBusy} onEnd={() => void end(each.id)} />
            ))}
          </ul>
        )}
      </Loaded>
    </section>
  );
}

interface LineProps {
  session: OwnSession;
  isBusy: boolean;
  onEnd(): void;
}

function SessionLine({ session, isBusy, onEnd }: LineProps) {
  const { t } = useTranslation();
  const { id, device_name, device_type, created_at, is_current } = session;
  const kind = device_type === null ? t('Device') : t(typeNames[device_type]);
  const name = device_name ?? kind;
  return (
    <li>
      <div>
        <p>
          <span className="written">{name}</span>{' '}
          {is_current && <span className="badge">{t('This session')}</span>}
        </p>
        <p className="quiet small">
          {device_name !== null && `${kind} · `}
          <Time at={created_at} />
        </p>
      </div>
      {!is_current && (
        <Button
          className="button"
          aria-label={t('End session {id}: {name}', { id: String(id), name })}
          isDisabled={isBusy}
          onPress={onEnd}
        >
          {t('End')}
        </Button>
      )}
    </li>
  );
}
