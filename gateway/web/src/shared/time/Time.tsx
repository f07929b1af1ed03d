import { useWords } from '../language/text.ts';
import { momentOf } from './moment.ts';

interface Props {
  /** As the interface writes it. */
  at: string;
  withSeconds?: boolean;
}

/** A time by the school's clock, with the device's beside it where that is another. */
export function Time({ at, withSeconds = false }: Props) {
  const { t, timeText } = useWords();
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
