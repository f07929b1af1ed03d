import { lazy, Suspense, useRef, useState } from 'react';
import { Button } from 'react-aria-components';
import type { Kind } from '../../shared/api/workTypes.ts';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { serverNow } from '../../shared/time/serverNow.ts';
import { useLostFocus } from '../handIn/useLostFocus.ts';
import type { Homework, ListedQuestion, Quiz } from '../records/studentTypes.ts';
import { type OwnSubmission, useOwnSubmission } from '../submission/useOwnSubmission.ts';
import { isPagesWindowOpen } from './pagesWindow.ts';
import { nextQuestion } from './places.ts';
import { isPutOff, putOff } from './putOff.ts';
import './places.css';
import { Loading } from '../../shared/ui/states.tsx';

const PlacesEditor = lazy(async () => ({ default: (await import('./PlacesEditor.tsx')).PlacesEditor }));

interface Props {
  kind: Kind;
  submissionId: number;
  item: Quiz | Homework;
  /** Whether the student has just handed in, and is asked without having to open the question. */
  isNew: boolean;
}

/** Asks for the pages of a submission's answers while the student may still choose them. */
export function PlacesStep({ kind, submissionId, item, isNew }: Props) {
  const { questions } = item;
  // While the services are being updated, a response from the previous version has no questions.
  if (!questions || questions.length === 0 || !isPagesWindowOpen(item, serverNow())) return null;
  return <Asked kind={kind} submissionId={submissionId} questions={questions} isNew={isNew} />;
}

type AskedProps = Omit<Props, 'item'> & { questions: ListedQuestion[] };

function Asked({ kind, submissionId, questions, isNew }: AskedProps) {
  const { submission } = useOwnSubmission(kind, submissionId);
  // A new upload asks the question again.
  const [chosen, setChosen] = useState<{ for: string; isOpen: boolean }>();
  if (!submission || submission.grading || submission.files.length === 0) return null;
  const upload = { submissionId, submittedAt: submission.submittedAt };
  const isOpen = chosen?.for === submission.submittedAt ? chosen.isOpen : undefined;
  const setOpen = (is: boolean) => setChosen({ for: submission.submittedAt, isOpen: is });
  const isAsked = isOpen ?? (isNew && submission.pages.length === 0 && !isPutOff(upload));
  if (!isAsked)
    return (
      <Summary
        questions={questions}
        submission={submission}
        isChanged={isOpen === false}
        onOpen={() => setOpen(true)}
      />
    );
  return (
    <Suspense fallback={<Loading />}>
      <PlacesEditor
        // Page numbers of earlier files do not apply to new files.
        key={submission.files.map(({ id }) => id).join(' ')}
        kind={kind}
        submissionId={submissionId}
        questions={questions}
        submission={submission}
        onSaved={() => setOpen(false)}
        onLater={() => {
          putOff(upload);
          setOpen(false);
        }}
      />
    </Suspense>
  );
}

interface SummaryProps {
  questions: ListedQuestion[];
  submission: OwnSubmission;
  /** Whether the question was open before, and had the focus. */
  isChanged: boolean;
  onOpen(): void;
}

/** The number of questions with a page, and the button to change their pages. */
function Summary({ questions, submission: { pages }, isChanged, onOpen }: SummaryProps) {
  const { t } = useTranslation();
  const line = useRef<HTMLDivElement>(null);
  useLostFocus(line, isChanged);
  const placed = questions.filter((question) => nextQuestion([question], pages) === undefined).length;
  return (
    <div ref={line} className="places-line" tabIndex={-1}>
      <p className="quiet small" role="status">
        {t('{placed} of {count} questions have a page', {
          placed: String(placed),
          count: String(questions.length),
        })}
      </p>
      <Button className="button" onPress={onOpen}>
        {placed === 0 ? t('Where are your answers?') : t('Change the pages')}
      </Button>
    </div>
  );
}
