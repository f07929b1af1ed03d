import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { Time } from '../../shared/time/Time.tsx';
import { Fraction } from '../../shared/ui/Fraction.tsx';
import { Modal } from '../../shared/ui/Modal.tsx';
import { ErrorState, Loading } from '../../shared/ui/states.tsx';
import { historyQuery } from '../queue/gradingQueries.ts';
import type { AnswerHistoryEntry, GradingHistoryEntry, Rubric, Target } from '../queue/gradingTypes.ts';
import { ChosenItems } from './ChosenItems.tsx';

interface Props {
  target: Target;
  rubric: Rubric | null;
  onClose(): void;
}

/** Lists all gradings of a submission or answer, newest first. */
export function HistoryDialog({ target, rubric, onClose }: Props) {
  const { t } = useTranslation();
  const history = useQuery(historyQuery(target));
  return (
    <Modal title={t('History')} isOpen onClose={onClose}>
      {history.error ? (
        <ErrorState error={history.error} onRetry={() => void history.refetch()} />
      ) : !history.data ? (
        <Loading />
      ) : (
        <ol className="history">
          {history.data.map((entry) => (
            <Entry key={`${entry.graded_at} ${entry.reason}`} entry={entry} rubric={rubric} />
          ))}
        </ol>
      )}
    </Modal>
  );
}

type HistoryEntry = GradingHistoryEntry | AnswerHistoryEntry;

function Entry({ entry, rubric }: { entry: HistoryEntry; rubric: Rubric | null }) {
  const { t, formatNumber } = useTranslation();
  const { comment, selection, reason, graded_by, graded_at } = entry;
  const [grade, total_grade] =
    'points' in entry ? [entry.points, entry.max_points] : [entry.grade, entry.total_grade];
  const { name } = graded_by;
  const textOf: Record<typeof reason, string> = {
    graded: t('graded by {name}', { name }),
    rubric: t('The rubric was changed by {name}', { name }),
    ungraded: t('The grading was undone by {name}', { name }),
    removed: t('The grading was undone by {name}', { name }),
    questions: t('graded by {name}', { name }),
    review: t('graded again by {name} after a review', { name }),
  };
  return (
    <li>
      <p className="history-grade figures">
        {grade === null || total_grade === null ? (
          '–'
        ) : (
          <Fraction part={formatNumber(grade)} of={formatNumber(total_grade)} />
        )}
      </p>
      <div className="history-text">
        <p className="small">
          {textOf[reason]}
          <span className="quiet">
            {' '}
            · <Time at={graded_at} />
          </span>
        </p>
        <ChosenItems rubric={rubric} selection={selection} />
        {comment && (
          <p className="written small" dir="auto">
            {comment}
          </p>
        )}
      </div>
    </li>
  );
}
