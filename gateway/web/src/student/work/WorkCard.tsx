import { lazy, Suspense, useId, useMemo } from 'react';
import { filePath } from '../../shared/api/filePath.ts';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { Icon } from '../../shared/ui/icons.tsx';
import { attemptFields } from '../handIn/attemptFields.ts';
import { HandIn } from '../handIn/HandIn.tsx';
import { loadUploadOutcome } from '../handIn/loadUploadOutcome.ts';
import { Facts } from './Facts.tsx';
import { HandedInLine } from './HandedInLine.tsx';
import { QuestionsLink } from './QuestionsLink.tsx';
import { TimeLeft } from './TimeLeft.tsx';
import type { Work } from './workGroups.ts';

const PlacesStep = lazy(async () => ({ default: (await loadUploadOutcome()).PlacesStep }));

interface Props {
  work: Work;
  /** When the list was requested, a `performance.now()` time. */
  askedAt: number;
  /** How far the server's clock is ahead of the device's, in milliseconds. */
  clockOffset: number;
  showsReceipt: boolean;
  onCheckTime(): void;
  onOpenQuestions(): void;
}

/** A quiz or homework: its facts, the next action and the submission. */
export function WorkCard({ work, askedAt, clockOffset, showsReceipt, onCheckTime, onOpenQuestions }: Props) {
  const { t } = useTranslation();
  const heading = useId();
  const { kind, id, title, courseTitle, secondsUntil: seconds, handedIn, isOpen, quiz, homework } = work;
  const item = quiz ?? homework;
  const countdown = useMemo(() => ({ seconds: seconds ?? 0, at: askedAt }), [seconds, askedAt]);
  const exercises = isOpen && homework?.assignment_file_url && (
    <ExercisesLink url={homework.assignment_file_url} isPlain={handedIn !== null} />
  );

  return (
    <li className="card work">
      <article aria-labelledby={heading}>
        <header>
          <div>
            <h3 id={heading} className="written">
              {title}
            </h3>
            <p className="quiet small">
              {kind === 'quizzes' ? t('Quiz') : t('Homework')}
              {courseTitle !== null && (
                <>
                  {' · '}
                  <span dir="auto">{courseTitle}</span>
                </>
              )}
            </p>
          </div>
          {isOpen && seconds !== null && (
            <TimeLeft countdown={countdown} title={title} onCheck={onCheckTime} />
          )}
        </header>
        <Facts work={work} />
        {homework?.assignment_description && isOpen && !handedIn && (
          <p className="written description">{homework.assignment_description}</p>
        )}
        {handedIn && (
          <HandedInLine kind={kind} title={title} handedIn={handedIn}>
            {exercises}
          </HandedInLine>
        )}
        {quiz !== null && isOpen && <QuestionsLink quiz={quiz} onOpen={onOpenQuestions} />}
        {!handedIn && exercises}
        <HandIn
          kind={kind}
          itemId={id}
          title={title}
          isOpen={isOpen}
          isUpcoming={work.state === 'upcoming'}
          isReplacing={handedIn !== null}
          path={kind === 'quizzes' ? '/api/v3/quiz/submit-pdf' : `/api/v3/homeworks/${id}/submissions`}
          fieldsNow={() => (quiz ? attemptFields(quiz, new Date(Date.now() + clockOffset)) : {})}
          showsReceipt={showsReceipt}
        />
        {handedIn?.grade === null && item?.questions?.[0] && (
          <Suspense fallback={null}>
            <PlacesStep kind={kind} submissionId={handedIn.id} item={item} isNew={showsReceipt} />
          </Suspense>
        )}
      </article>
    </li>
  );
}

function ExercisesLink({ url, isPlain }: { url: string; isPlain: boolean }) {
  const { t } = useTranslation();
  return (
    <div>
      <a
        className={isPlain ? 'button plain' : 'button'}
        href={filePath(url)}
        target="_blank"
        rel="noopener noreferrer"
      >
        <Icon name="file" />
        {t('Exercises')}
      </a>
    </div>
  );
}
