import { useEffect, useState } from 'react';
import { type Translate, useTranslation } from '../../shared/language/useTranslation.ts';
import { clocksDisagree, deviceNow } from '../../shared/time/deviceClocks.ts';
import { Icon } from '../../shared/ui/icons.tsx';
import { announcement, type Countdown, clockText, daysLeft, secondsLeft } from './timeLeft.ts';

interface Props {
  countdown: Countdown;
  /** The title of the work, for announcements. */
  title: string;
  /** Called when the remaining time may be wrong. */
  onCheck(): void;
}

/** Counts down the time left. Screen readers announce it at ten, five and one minutes. */
export function TimeLeft({ countdown, title, onCheck }: Props) {
  const { t } = useTranslation();
  const { seconds, announced } = useCountdown(countdown, onCheck);
  return (
    <span className="time-left" data-urgent={seconds <= 300 || undefined}>
      <Icon name="clock" />
      <span role="timer" aria-label={t('Time left')} className="figures">
        {inWords(seconds, t)}
      </span>
      <span className="unseen" role="status">
        {announced !== undefined &&
          t('{minutes, plural, one {# minute} other {# minutes}} left for {title}', {
            minutes: announced,
            title,
          })}
      </span>
    </span>
  );
}

function inWords(seconds: number, t: Translate): string {
  const long = daysLeft(seconds);
  if (!long) return clockText(seconds);
  if (long.days >= 7) return t('{days, plural, one {# day} other {# days}}', { days: long.days });
  return t('{days, plural, one {# day} other {# days}}, {hours} h', {
    days: long.days,
    hours: String(long.hours),
  });
}

function useCountdown(countdown: Countdown, onCheck: () => void) {
  const [seconds, setSeconds] = useState(() => secondsLeft(countdown, performance.now()));
  const [announced, setAnnounced] = useState<number>();

  useEffect(() => {
    let shown = secondsLeft(countdown, performance.now());
    let moment = deviceNow();
    setSeconds(shown);
    // More often than once a second, so that a late tick skips no second.
    const timer = setInterval(() => {
      const now = deviceNow();
      if (clocksDisagree(moment, now)) onCheck();
      moment = now;
      const left = secondsLeft(countdown, now.steady);
      if (left === shown) return;
      const minutes = announcement(shown, left);
      if (minutes !== undefined) setAnnounced(minutes);
      shown = left;
      setSeconds(left);
    }, 250);
    return () => clearInterval(timer);
  }, [countdown, onCheck]);

  return { seconds, announced };
}
