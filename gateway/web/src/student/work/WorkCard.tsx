import { Link } from '@tanstack/react-router';
import { useId, useMemo } from 'react';
import { useWords } from '../../shared/language/text.ts';
import { attemptFields } from '../handIn/attemptFields.ts';
import { HandIn } from '../handIn/HandIn.tsx';
import { formatSchoolTime } from '../records/schoolTime.ts';
import { Facts } from './Facts.tsx';
import { QuestionsLink } from './QuestionsLink.tsx';
import { TimeLeft } from './TimeLeft.tsx';
import type { Work } from './workGroups.ts';

interface Props {
  work: Work;
  /** When the list was asked for, by `performance.now()`. */
  askedAt: number;
  /** The clock of the server is ahead of the device's by so many milliseconds. */
  clockOffset: number;
  showsReceipt: boolean;
  onCheckTime(): void;
  onOpenQuestions(): void;
}

/** A quiz or a homework: what it is, what there is to do, and what was done. */
export function WorkCard({ work, askedAt, clockOffset, showsReceipt, onCheckTime, onOpenQuestions }: Props) {
  const { t, language } = useWords();
  const heading = useId();
  const { kind, id, title, courseTitle, remainingSeconds: seconds, handedIn, isOpen, quiz, homework } = work;
  const countdown = useMemo(() => ({ seconds: seconds ?? 0, at: askedAt }), [seconds, askedAt]);
  const time = (date: Date) => formatSchoolTime(date, language);
  const showsQuestions = quiz !== null && isOpen;

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
        {homework?.assignment_description && isOpen && (
          <p className="written description">{homework.assignment_description}</p>
        )}
        {handedIn && <HandedInLine kind={kind} title={title} handedIn={handedIn} time={time} />}
        {showsQuestions && <QuestionsLink quiz={quiz} onOpen={onOpenQuestions} />}
        {homework?.assignment_file_url && isOpen && <AssignmentLink url={homework.assignment_file_url} />}
        <HandIn
          kind={kind}
          itemId={id}
          title={title}
          isOpen={isOpen}
          isReplacing={handedIn !== null}
          path={kind === 'quizzes' ? '/api/v3/quiz/submit-pdf' : `/api/v3/homeworks/${id}/submissions`}
          fieldsNow={() => (quiz ? attemptFields(quiz, new Date(Date.now() + clockOffset)) : {})}
          showsReceipt={showsReceipt}
        />
      </article>
    </li>
  );
}

interface HandedInProps {
  kind: Work['kind'];
  title: string;
  handedIn: NonNullable<Work['handedIn']>;
  time(date: Date): string;
}

function HandedInLine({ kind, title, handedIn, time }: HandedInProps) {
  const { t, formatNumber } = useWords();
  const { id, submittedAt, grade, totalGrade } = handedIn;
  return (
    <p className="handed-in">
      <span>{t('Handed in {time}', { time: time(submittedAt) })}</span>
      {grade === null ? (
        <span className="quiet">{t('Not graded yet')}</span>
      ) : (
        <strong className="figures">
          {t('{graded} of {total}', { graded: formatNumber(grade), total: formatNumber(totalGrade ?? 0) })}
        </strong>
      )}
      <Link
        to="/my/submissions/$kind/$id"
        params={{ kind, id }}
        className="button"
        aria-label={t('My submission: {title}', { title })}
      >
        {t('My submission')}
      </Link>
    </p>
  );
}

function AssignmentLink({ url }: { url: string }) {
  const { t } = useWords();
  const { pathname, search } = new URL(url);
  return (
    <div>
      <a className="button" href={pathname + search} target="_blank" rel="noopener noreferrer">
        {t('Exercises')}
      </a>
    </div>
  );
}
