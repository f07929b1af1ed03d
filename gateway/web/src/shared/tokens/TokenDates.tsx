import { useTranslation } from '../language/useTranslation.ts';

interface Props {
  token: { created_at: string; expires_at: string; last_used_at: string | null };
}

/** When a token was created, ends and was last used. */
export function TokenDates({ token }: Props) {
  const { t, formatTime } = useTranslation();
  return (
    <p className="quiet small">
      {[
        t('Created {time}', { time: formatTime(token.created_at) }),
        t('valid until {time}', { time: formatTime(token.expires_at) }),
        token.last_used_at === null
          ? t('never used')
          : t('last used {time}', { time: formatTime(token.last_used_at) }),
      ].join(' · ')}
    </p>
  );
}
