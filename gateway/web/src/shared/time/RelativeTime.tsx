import { useState, useSyncExternalStore } from 'react';
import { Button, Tooltip, TooltipTrigger } from 'react-aria-components';
import { useTranslation } from '../language/useTranslation.ts';
import { momentOf } from './moment.ts';
import './relativeTime.css';
import { relativeTime } from './relativeTime.ts';
import { schoolTimeZone } from './schoolTimeZone.ts';
import { onServerClock, serverNow } from './serverNow.ts';
import { Time } from './Time.tsx';

/**
 * How far a time is from now, by the server's clock. The exact time in the school's time zone appears on hover, on
 * focus and on a tap. It is always shown on paper, and while the server's time is unknown.
 */
export function RelativeTime({ at }: { at: string }) {
  const { language, formatTime } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const moment = momentOf(at);
  const text = useSyncExternalStore(onServerClock, () => {
    const now = serverNow();
    return now === undefined || Number.isNaN(moment.getTime())
      ? undefined
      : relativeTime(moment.getTime(), now, language, schoolTimeZone);
  });
  if (text === undefined) return <Time at={at} />;
  const exact = formatTime(at);
  return (
    <time dateTime={moment.toISOString()} className="relative-time">
      <TooltipTrigger isOpen={isOpen} onOpenChange={setOpen} delay={300} shouldCloseOnPress={false}>
        {/* Touch screens have no hover. */}
        <Button className="relative-time-button" onPress={() => setOpen(!isOpen)}>
          {text}
        </Button>
        <Tooltip className="tooltip" offset={4}>
          {exact}
        </Tooltip>
      </TooltipTrigger>
      <span className="only-on-paper">{exact}</span>
    </time>
  );
}
