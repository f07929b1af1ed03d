import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { Time } from '../../shared/time/Time.tsx';
import { Fraction } from '../../shared/ui/Fraction.tsx';
import { Modal } from '../../shared/ui/Modal.tsx';
import { ErrorState, Loading } from '../../shared/ui/states.tsx';
import { historyQuery } from '../queue/gradingQueries.ts';
import type { GradingHistoryEntry, Kind, Rubric } from '../queue/gradingTypes.ts';
import { ChosenItems } from './ChosenItems.tsx';

interface Props {
  kind: Kind;
  id: number;
  rubric: Rubric | null;
  onClose(): void;
}

/** Lists all gradings of a submission, newest first. */
export function HistoryDialog({ kind, id, rubric, onClose }: Props) {
  const { t } = useTranslation();
  const history = useQuery(historyQuery(kind, id));
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

function Entry({ entry, rubric }: { entry: GradingHistoryEntry; rubric: Rubric | null }) {
  const { t, formatNumber } = useTranslation();
  const { grade, total_grade, comment, selection, reason, graded_by, graded_at } = entry;
  const { name } = graded_by;
  const textOf: Record<typeof reason, string> = {
    graded: t('graded by {name}', { name }),
    questions: t('graded by {name}', { name }),
    review: t('graded by {name}', { name }),
    rubric: t('The rubric was changed by {name}', { name }),
    ungraded: t('The grading was undone by {name}', { name }),
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
