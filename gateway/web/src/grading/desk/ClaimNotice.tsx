import { useEffect, useState } from 'react';
import { Button } from 'react-aria-components';
import { ApiError } from '../../shared/api/apiError.ts';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { claim, release } from '../queue/gradingRequests.ts';
import type { Detail, Target } from '../queue/gradingTypes.ts';
import { afterPaint } from './afterPaint.ts';

const renewal = 60_000;

interface Props {
  /** Must be referentially stable. */
  target: Target;
  detail: Detail;
  personId: number;
}

/** Claims a submission or answer while it is open, and shows a notice when another grader has claimed it. */
export function ClaimNotice({ target, detail, personId }: Props) {
  const { t } = useTranslation();
  const { status } = detail;
  const [other, setOther] = useState(
    detail.claimed_by && detail.claimed_by.id !== personId ? detail.claimed_by.name : '',
  );
  const isUngraded = status === 'ungraded';
  const isOthers = other !== '';

  useEffect(() => {
    // Another grader's claim is taken over only on explicit request.
    if (!isUngraded || isOthers) return;
    const renew = () =>
      claim(target, false).then(
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
      void Promise.all([claimed, afterPaint()]).then(() => release(target).catch(() => {}));
    };
  }, [target, isUngraded, isOthers]);

  const takeOver = () =>
    claim(target, true).then(
      () => setOther(''),
      () => {},
    );

  if (other === '' || !isUngraded) return null;
  return (
    <div className="notice small" role="alert">
      <span>
        {target.questionId === undefined
          ? t('{name} is grading this submission.', { name: other })
          : t('{name} is grading this answer.', { name: other })}
      </span>
      <Button className="button" onPress={() => void takeOver()}>
        {t('Take over')}
      </Button>
    </div>
  );
}
