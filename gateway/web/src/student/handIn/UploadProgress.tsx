import { useEffect, useRef, useState } from 'react';
import { Button } from 'react-aria-components';
import { type Translate, useTranslation } from '../../shared/language/useTranslation.ts';
import { Progress } from '../../shared/ui/states.tsx';
import { announcedQuarter } from './afterAttempt.ts';
import type { UploadState } from './uploadTypes.ts';
import { useFileSize } from './useFileSize.ts';
import { useLostFocus } from './useLostFocus.ts';

type UnderWay = Extract<UploadState, { status: 'sending' | 'waiting' }>;

interface Props {
  state: UnderWay;
  onCancel(): void;
}

/** Shows the progress of an upload, or what it is waiting for. */
export function UploadProgress({ state, onCancel }: Props) {
  const { t } = useTranslation();
  const fileSize = useFileSize();
  const place = useRef<HTMLDivElement>(null);
  useLostFocus(place);
  const sent = state.status === 'sending' ? state.sent : 0;
  const percent = state.total === 0 ? 0 : Math.floor((sent / state.total) * 100);
  const isChecked = state.status === 'sending' && percent === 100;
  return (
    <div className="upload" ref={place} tabIndex={-1}>
      <div className="upload-line">
        <p>
          {state.status === 'waiting' ? (
            <Reason state={state} />
          ) : isChecked ? (
            t('Sent. The school is checking the file…')
          ) : (
            t('Uploading…')
          )}
        </p>
        <span className="quiet small figures">
          {isChecked
            ? ''
            : t('{left} of {total} left', {
                left: fileSize(state.total - sent),
                total: fileSize(state.total),
              })}
        </span>
      </div>
      <Progress name={t('Uploading')} value={percent} max={100} text={`${percent} %`} />
      <p className="unseen" role="status">
        {announced(state, t)}
      </p>
      <div className="upload-line">
        <p className="quiet small">
          {t('Keep this page open. If you close it, the upload continues when you come back.')}
        </p>
        <Button className="button plain" onPress={onCancel}>
          {t('Cancel the upload')}
        </Button>
      </div>
    </div>
  );
}

/** Returns the announcement for screen readers: each quarter, and each time that the upload has to wait. */
function announced(state: UnderWay, t: Translate): string {
  if (state.status === 'waiting') return t(reasons[state.because]);
  const quarter = announcedQuarter(state.sent, state.total);
  return quarter === 0 ? t('Uploading…') : t('{percent} % uploaded', { percent: String(quarter) });
}

const reasons = {
  connection: 'There is no connection. The upload continues automatically.',
  busy: 'The school is busy. The upload continues automatically.',
  login: 'The upload continues after you log in.',
  turn: 'The upload continues.',
} as const;

function Reason({ state }: { state: Extract<UploadState, { status: 'waiting' }> }) {
  const { t } = useTranslation();
  const seconds = useSecondsUntil(state.until);
  return (
    <>
      {t(reasons[state.because])}{' '}
      {seconds > 0 && (
        <span className="quiet figures">
          {t('Next attempt in {seconds, plural, one {# second} other {# seconds}}.', { seconds })}
        </span>
      )}
    </>
  );
}

function useSecondsUntil(until: number | null): number {
  const left = () => (until === null ? 0 : Math.max(0, Math.ceil((until - performance.now()) / 1000)));
  const [, setSeconds] = useState(0);
  useEffect(() => {
    if (until === null) return;
    const timer = setInterval(() => setSeconds((before) => before + 1), 1000);
    return () => clearInterval(timer);
  }, [until]);
  return left();
}
