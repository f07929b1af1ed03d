import { useId } from 'react';
import { useWords } from '../../shared/language/text.ts';
import { Icon } from '../../shared/ui/icons.tsx';
import { fileAddress } from '../records/fileAddress.ts';
import type { Quiz } from '../records/studentTypes.ts';

interface Props {
  quiz: Quiz;
  /** The questions are being opened: the server records the start. */
  onOpen(): void;
}

/** The link to the questions. They are not fetched before the student follows it, because that starts the attempt. */
export function QuestionsLink({ quiz, onOpen }: Props) {
  const { t } = useWords();
  const hint = useId();
  if (quiz.questions_pdf_url === null) return null;
  const isStarted = quiz.started_at !== null;
  return (
    <div className="questions">
      <a
        className={isStarted ? 'button' : 'button primary'}
        href={fileAddress(quiz.questions_pdf_url)}
        target="_blank"
        rel="noopener noreferrer"
        aria-describedby={isStarted ? undefined : hint}
        onClick={onOpen}
        onAuxClick={onOpen}
      >
        <Icon name="file" />
        {isStarted ? t('Questions') : t('Open the questions')}
      </a>
      {!isStarted && (
        <p id={hint} className="small start-warning">
          {quiz.duration_minutes === null
            ? t('Opening them starts your attempt.')
            : t('Opening them starts your time: {minutes} minutes. It cannot be paused.', {
                minutes: String(quiz.duration_minutes),
              })}
        </p>
      )}
    </div>
  );
}
