import { useEffect, useState } from 'react';
import { Button } from 'react-aria-components';
import { ApiError } from '../../shared/api/apiError.ts';
import type { Kind } from '../../shared/api/workTypes.ts';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { claim, release } from '../queue/gradingRequests.ts';
import type { Detail } from '../queue/gradingTypes.ts';
import { afterPaint } from './afterPaint.ts';

const renewal = 60_000;

/** Claims a submission while it is open, and shows a notice when another grader has claimed it. */
export function ClaimNotice({ kind, detail, personId }: { kind: Kind; detail: Detail; personId: number }) {
  const { t } = useTranslation();
  const { id, status } = detail;
  const [other, setOther] = useState(
    detail.claimed_by && detail.claimed_by.id !== personId ? detail.claimed_by.name : '',
  );
  const isUngraded = status === 'ungraded';
  const isOthers = other !== '';

  useEffect(() => {
    // Another grader's claim is taken over only on explicit request.
    if (!isUngraded || isOthers) return;
    const renew = () =>
      claim(kind, id, false).then(
        () => setOther(''),
        (error: unknown) => {
          if (error instanceof ApiError && error.status === 409)
            setOther((error.data as { claimed_by: { name: string } }).claimed_by.name);
        },
      );
    // Starting a request takes milliseconds, which would delay the frame of the sheet that is being opened.
    let isOpen = true;
    const claimed = afterPaint().then(() => (isOpen ? renew() : undefined));
    const timer = setInterval(() => void renew(), renewal);
    return () => {
      isOpen = false;
      clearInterval(timer);
      void Promise.all([claimed, afterPaint()]).then(() => release(kind, id).catch(() => {}));
    };
  }, [kind, id, isUngraded, isOthers]);

  const takeOver = () =>
    claim(kind, id, true).then(
      () => setOther(''),
      () => {},
    );

  if (other === '' || !isUngraded) return null;
  return (
    <div className="notice small" role="alert">
      <span>{t('{name} is grading this submission.', { name: other })}</span>
      <Button className="button" onPress={() => void takeOver()}>
        {t('Take over')}
      </Button>
    </div>
  );
}
