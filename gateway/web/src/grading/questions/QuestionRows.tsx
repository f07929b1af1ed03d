import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { PartMissing } from '../../shared/ui/PartMissing.tsx';
import { Progress } from '../../shared/ui/states.tsx';
import type { ItemId } from '../queue/gradingTypes.ts';
import { questionProgressQuery } from '../queue/questionQueries.ts';
import type { Question, QuestionProgress } from '../queue/questionTypes.ts';
import { GradeQuestion } from './GradeQuestion.tsx';

/** Shows how many answers to each question are graded, and opens the next one. */
export function QuestionRows({ item, questions }: { item: ItemId; questions: Question[] }) {
  const { t } = useTranslation();
  const progress = useQuery(questionProgressQuery(item));
  return (
    <section className="question-progress" aria-labelledby="question-progress">
      <h2 id="question-progress">{t('Progress')}</h2>
      {progress.error && <PartMissing error={progress.error} onRetry={() => void progress.refetch()} />}
      <ul className="card question-rows">
        {questions.map((question) => (
          <QuestionRow
            key={question.id}
            item={item}
            question={question}
            progress={progress.data?.find(({ question_id }) => question_id === question.id)}
          />
        ))}
      </ul>
    </section>
  );
}

interface RowProps {
  item: ItemId;
  question: Question;
  /** Undefined while it is loading. */
  progress: QuestionProgress | undefined;
}

function QuestionRow({ item, question, progress }: RowProps) {
  const { t, formatNumber } = useTranslation();
  const { id, label, title, max_points, rubric } = question;
  const { graded = 0, total = 0, mean = null } = progress ?? {};
  const points = formatNumber(max_points);
  return (
    <li className="question-row">
      <div className="question-name">
        <span className="written">
          <strong dir="auto">{label}</strong> {title !== null && <span dir="auto">{title}</span>}
        </span>
        <span className="quiet small figures">
          {mean === null
            ? t('{count, plural, one {{points} point} other {{points} points}}', {
                count: max_points,
                points,
              })
            : t('Mean {mean} of {points}', {
                mean: formatNumber(mean, { maximumFractionDigits: 2 }),
                points,
              })}
        </span>
      </div>
      <div className="question-bar">
        <Progress name={t('{label} graded', { label })} value={graded} max={total} />
        <span className="quiet small figures">
          {progress ? t('{graded} of {total}', { graded: String(graded), total: String(total) }) : '\u00a0'}
        </span>
      </div>
      <div className="question-actions">
        <Link
          to="/grading/$kind/$itemId/questions/$questionId/rubric"
          params={{ ...item, questionId: id }}
          aria-label={
            rubric
              ? t('Rubric of question {label}', { label })
              : t('Add a rubric to question {label}', { label })
          }
        >
          {rubric ? t('Rubric') : t('Add a rubric')}
        </Link>
        <GradeQuestion item={item} question={question} />
      </div>
    </li>
  );
}
