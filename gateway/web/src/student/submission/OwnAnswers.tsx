import { Button } from 'react-aria-components';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import type { GradedAnswer } from '../records/studentTypes.ts';
import { OwnReviews } from '../reviews/OwnReviews.tsx';
import type { Reviews } from '../reviews/useReviews.ts';
import { pageId } from './pageId.ts';
import { SelectedItems } from './SelectedItems.tsx';
import type { OwnFile } from './useOwnSubmission.ts';

interface Props {
  answers: GradedAnswer[];
  files: OwnFile[];
  reviews: Reviews;
}

/** The grading of each question, in the order of the questions. */
export function OwnAnswers({ answers, files, reviews }: Props) {
  const { t } = useTranslation();
  return (
    <section className="own-answers" aria-label={t('Questions')}>
      {answers.map((answer) => (
        <OwnAnswer key={answer.question_id} answer={answer} files={files} reviews={reviews} />
      ))}
    </section>
  );
}

interface AnswerProps extends Omit<Props, 'answers'> {
  answer: GradedAnswer;
}

function OwnAnswer({ answer, files, reviews }: AnswerProps) {
  const { t, formatNumber } = useTranslation();
  const { question_id, label, title, points, max_points, rubric, adjustment, comment } = answer;
  // It has no sentence of its own in the rubric, but without it the points would not add up.
  const reasons = adjustment === 0 ? rubric : [...rubric, { text: t('Adjustment'), points: adjustment }];
  const numbers = answer.pages.flatMap((page) => numberOf(page, files));
  return (
    <article className="own-answer" aria-label={t('Question {label}', { label })}>
      <header>
        <h2 className="written">{title === null ? label : `${label} ${title}`}</h2>
        {points !== null && (
          <strong className="figures">
            {t('{graded} of {total}', { graded: formatNumber(points), total: formatNumber(max_points) })}
          </strong>
        )}
      </header>
      {reasons.length > 0 && <SelectedItems items={reasons} />}
      {comment !== null && (
        <p className="written" dir="auto">
          {comment}
        </p>
      )}
      {numbers.length > 0 && (
        <p className="own-answer-pages small">
          {numbers.map((page) => (
            <Button key={page} className="text-button" onPress={() => showPage(page)}>
              {t('Page {page}', { page })}
            </Button>
          ))}
        </p>
      )}
      <OwnReviews reviews={reviews} questionId={question_id} label={label} />
    </article>
  );
}

/** The number of a page, counted across all files; nothing for a page of a file that was removed. */
function numberOf({ file_id, page }: GradedAnswer['pages'][number], files: OwnFile[]): number[] {
  const at = files.findIndex(({ id }) => id === file_id);
  return at === -1 ? [] : [files.slice(0, at).reduce((sum, { pages }) => sum + pages, page)];
}

function showPage(number: number): void {
  const page = document.getElementById(pageId(number));
  page?.scrollIntoView({ block: 'start' });
  page?.focus({ preventScroll: true });
}
