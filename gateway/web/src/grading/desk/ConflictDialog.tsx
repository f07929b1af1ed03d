import { Button } from 'react-aria-components';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { Fraction } from '../../shared/ui/Fraction.tsx';
import { Modal } from '../../shared/ui/Modal.tsx';
import type { Rubric } from '../queue/gradingTypes.ts';
import { ChosenItems } from './ChosenItems.tsx';
import { type Draft, draftOf, gradeOf } from './draft.ts';
import { gradedOf } from './questionSheet.ts';
import type { Saves } from './useSaves.ts';

/** Shows two graders' gradings of the same submission side by side, and lets this grader choose. */
export function ConflictDialog({ saves }: { saves: Saves }) {
  const { t } = useTranslation();
  const [conflict] = saves.conflicts;
  if (!conflict) return null;
  const { job, theirs } = conflict;
  const { detail } = theirs;
  const graded = gradedOf(job.owner.kind, job.owner.questionId);
  return (
    <Modal title={t('Changed meanwhile')} isOpen isWide>
      <p>
        {t('The submission of {name} has changed since you opened it. Which grading do you want to keep?', {
          name: job.studentName,
        })}
      </p>
      <div className="gradings">
        <Grading
          title={t('Yours')}
          draft={job.draft}
          rubric={detail.rubric}
          grade={gradeOf(job.draft, detail, graded)}
        />
        <Grading
          title={detail.graded_by ? t('By {name}', { name: detail.graded_by.name }) : t('Current grading')}
          draft={draftOf(detail, null)}
          rubric={detail.rubric}
          grade={detail.grade ?? undefined}
        />
      </div>
      <div className="dialog-buttons">
        <Button className="button" onPress={() => saves.acceptTheirs(conflict)}>
          {t('Use theirs')}
        </Button>
        <Button className="button primary" onPress={() => saves.keepMine(conflict)}>
          {t('Keep mine')}
        </Button>
      </div>
    </Modal>
  );
}

interface GradingProps {
  title: string;
  draft: Draft;
  rubric: Rubric | null;
  grade: number | undefined;
}

function Grading({ title, draft, rubric, grade }: GradingProps) {
  const { t, formatNumber } = useTranslation();
  return (
    <section className="card grading">
      <h3 className="written">{title}</h3>
      <p className="grading-grade figures">
        {grade === undefined ? (
          t('No grade')
        ) : draft.total === '' ? (
          formatNumber(grade)
        ) : (
          <Fraction part={formatNumber(grade)} of={draft.total} />
        )}
      </p>
      {draft.by === 'rubric' && <ChosenItems rubric={rubric} selection={draft.selection} />}
      {draft.comment !== '' && <p className="written">{draft.comment}</p>}
      <p className="quiet small">
        {t('{count, plural, =0 {No marks} one {# mark} other {# marks}} on the sheet', {
          count: draft.annotations.length,
        })}
      </p>
    </section>
  );
}
