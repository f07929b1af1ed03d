import { useTranslation } from '../language/useTranslation.ts';
import { momentOf } from './moment.ts';

interface Props {
  /** In the API's format. */
  at: string;
  withSeconds?: boolean;
}

/** A time in the school's time zone, followed by the device's time where it differs. */
export function Time({ at, withSeconds = false }: Props) {
  const { t, timeText } = useTranslation();
  const moment = momentOf(at);
  const { school, own } = timeText(moment, withSeconds);
  if (Number.isNaN(moment.getTime())) return school;
  return (
    <time dateTime={moment.toISOString()}>
      <span className="clock">{school}</span>
      {own !== undefined && (
        <>
          {' '}
          <span className="clock quiet small">{t('(your time: {time})', { time: own })}</span>
        </>
      )}
    </time>
  );
}
