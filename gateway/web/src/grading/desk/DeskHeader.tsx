import { lazy, Suspense, useEffect, useState } from 'react';
import { Button } from 'react-aria-components';
import { filePath } from '../../shared/api/filePath.ts';
import type { Kind } from '../../shared/api/workTypes.ts';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { Time } from '../../shared/time/Time.tsx';
import { ToolIcon } from '../../shared/ui/toolIcons.tsx';
import { flagText } from '../queue/flagText.ts';
import type { Detail } from '../queue/gradingTypes.ts';
import type { Draft } from './draft.ts';
import { LateLine } from './LateLine.tsx';
import { LiveTotal } from './LiveTotal.tsx';
import type { QuestionOfDesk } from './questionSheet.ts';

const HistoryDialog = lazy(async () => ({ default: (await import('./HistoryDialog.tsx')).HistoryDialog }));

interface Props {
  kind: Kind;
  courseId: number | undefined;
  detail: Detail;
  draft: Draft;
  of: QuestionOfDesk | undefined;
}

/** Shows the student, the total, the submission time, the grader, lateness and the flags. */
export function DeskHeader({ kind, courseId, detail, draft, of }: Props) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  // Closes the dialog when the desk switches to another submission.
  useEffect(() => () => setOpen(false), []);
  const { student, submitted_at, submitted_by, graded_by, flags, annotated_url } = detail;
  return (
    <header className="desk-student">
      <div className="desk-name">
        <h1 className="written">{student.name}</h1>
        <LiveTotal kind={kind} detail={detail} draft={draft} of={of} />
      </div>
      <p className="quiet small">
        <Time at={submitted_at} />
        {submitted_by && ` · ${t('handed in by {name}', { name: submitted_by.name })}`}
        {graded_by && ` · ${t('graded by {name}', { name: graded_by.name })}`}
      </p>
      <p className="desk-links small">
        {annotated_url !== null && (
          <a href={filePath(annotated_url)} target="_blank" rel="noopener">
            {t('PDF with marks')}
          </a>
        )}
        {detail.status === 'graded' && (
          <Button className="text-button" aria-haspopup="dialog" onPress={() => setOpen(true)}>
            {t('History')}
          </Button>
        )}
      </p>
      <LateLine kind={kind} courseId={courseId} detail={detail} />
      {flags.map(({ code }) => (
        <p key={code} className="notice small">
          <ToolIcon name="flag" />
          {t(flagText[code])}
        </p>
      ))}
      {isOpen && (
        <Suspense fallback={null}>
          <HistoryDialog
            target={{ kind, id: detail.id, questionId: of?.question.id }}
            rubric={detail.rubric}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </header>
  );
}
