import { lazy, type MouseEvent, Suspense, useId, useState } from 'react';
import { filePath } from '../../shared/api/filePath.ts';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { Icon } from '../../shared/ui/icons.tsx';
import type { Quiz } from '../records/studentTypes.ts';

const StartQuestion = lazy(async () => ({ default: (await import('./StartQuestion.tsx')).StartQuestion }));

interface Props {
  quiz: Quiz;
  /** Called when the questions are being opened, which makes the server record the start. */
  onOpen(): void;
}

/** The link to the questions. Fetching them starts the attempt, so they are not preloaded. */
export function QuestionsLink({ quiz, onOpen }: Props) {
  const { t } = useTranslation();
  const hint = useId();
  const [isAsking, setAsking] = useState(false);
  if (quiz.questions_pdf_url === null) return null;
  const isStarted = quiz.started_at !== null;
  const { duration_minutes: minutes } = quiz;
  const address = filePath(quiz.questions_pdf_url);
  const isAsked = !isStarted && minutes !== null;
  const open = (event: MouseEvent) => {
    // A right click opens the context menu, not the link.
    if (event.button === 2) return;
    if (isAsked) {
      event.preventDefault();
      setAsking(true);
    } else onOpen();
  };
  return (
    <div className="questions">
      <a
        className={isStarted ? 'button' : 'button primary'}
        href={address}
        target="_blank"
        rel="noopener noreferrer"
        aria-describedby={isStarted ? undefined : hint}
        aria-haspopup={isAsked ? 'dialog' : undefined}
        onClick={open}
        onAuxClick={open}
      >
        <Icon name="file" />
        {isStarted ? t('Questions') : t('Open the questions')}
      </a>
      {!isStarted && (
        <p id={hint} className="small start-warning">
          {minutes === null
            ? t('Opening them starts your attempt.')
            : t('Opening them starts your time: {minutes} minutes. It cannot be paused.', {
                minutes: String(minutes),
              })}
        </p>
      )}
      {isAsking && isAsked && (
        <Suspense fallback={null}>
          <StartQuestion
            title={quiz.title}
            minutes={minutes}
            address={address}
            onOpen={() => {
              setAsking(false);
              onOpen();
            }}
            onClose={() => setAsking(false)}
          />
        </Suspense>
      )}
    </div>
  );
}
