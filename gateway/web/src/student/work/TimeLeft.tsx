import { useEffect, useState } from 'react';
import { type Text, useWords } from '../../shared/language/text.ts';
import { Icon } from '../../shared/ui/icons.tsx';
import {
  announcement,
  type Countdown,
  clocksDisagree,
  clockText,
  daysLeft,
  secondsLeft,
} from './timeLeft.ts';

interface Props {
  countdown: Countdown;
  /** What the time is left for, in announcements. */
  title: string;
  /** The time may have been counted wrongly. */
  onCheck(): void;
}

/** The time left, second by second. Screen readers announce the last ten, five and one minutes. */
export function TimeLeft({ countdown, title, onCheck }: Props) {
  const { t } = useWords();
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

function inWords(seconds: number, t: Text): string {
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
    let moment = { steady: performance.now(), wall: Date.now() };
    setSeconds(shown);
    // Shorter than a second: no second is left out when a tick is late.
    const timer = setInterval(() => {
      const now = { steady: performance.now(), wall: Date.now() };
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
