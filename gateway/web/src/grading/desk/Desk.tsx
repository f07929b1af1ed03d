import { memo, useCallback, useLayoutEffect, useMemo, useRef } from 'react';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { usePerson } from '../../shared/session/currentSession.ts';
import type { Queue, Sheet } from '../queue/gradingTypes.ts';
import { AnswerSheet, type SheetHandle } from '../sheet/AnswerSheet.tsx';
import type { Tool } from '../sheet/tools.ts';
import type { PaneSize } from '../sheet/usePaneSize.ts';
import type { Zoom } from '../sheet/zoom.ts';
import { ClaimNotice } from './ClaimNotice.tsx';
import { DeskHeader } from './DeskHeader.tsx';
import { DeskReview } from './DeskReview.tsx';
import { bodyOf, errorsIn, pointsOf } from './draft.ts';
import { GradeForm, type GradeFormHandle } from './GradeForm.tsx';
import { QuestionList } from './QuestionList.tsx';
import { gradedOf, neighbourQuestion, openingPage, type QuestionOfDesk } from './questionSheet.ts';
import { withNone, withToggled } from './selectionPoints.ts';
import { useDeskKeys } from './useDeskKeys.ts';
import { useDraft } from './useDraft.ts';
import type { GradingFlow } from './useGradingFlow.ts';
import { usePrepared } from './usePrepared.ts';
import type { Saves } from './useSaves.ts';

/** Faster than anyone can decide: a second key press within this time was meant for the previous sheet. */
const accident = 250;

export interface DeskProps {
  item: Queue;
  courseId: number | undefined;
  usualTotal: number | null;
  /** The submission, or its answer in the same shape. */
  sheet: Sheet;
  /** The question to grade; undefined for whole submissions. Must be referentially stable. */
  of: QuestionOfDesk | undefined;
  save: Saves['save'];
  onUndo(): void;
  flow: GradingFlow;
  tool: Tool | undefined;
  onTool(tool: Tool | undefined): void;
  zoom: Zoom;
  onZoom(zoom: Zoom): void;
  onPaneSize(paneSize: PaneSize): void;
}

/** One submission, or its answer to a question: the sheet and the grade form. */
export const Desk = memo(function Desk(props: DeskProps) {
  const { item, courseId, usualTotal, sheet, of, flow, tool, onTool, zoom, onZoom, onPaneSize } = props;
  const { t } = useTranslation();
  const { detail } = sheet;
  const { kind } = item;
  const person = usePerson();
  const questionId = of?.question.id;
  const graded = gradedOf(kind, questionId);
  const owner = useMemo(
    () => ({ personId: person.id, kind, id: detail.id, questionId }),
    [person.id, kind, detail.id, questionId],
  );
  const work = useDraft(sheet, owner, usualTotal);
  const { draft, base, etag, history, isChanged } = work;
  const pages = useRef<SheetHandle>(null);
  const form = useRef<GradeFormHandle>(null);
  const openedAt = useRef(0);
  useLayoutEffect(() => {
    openedAt.current = performance.now();
  }, []);

  usePrepared(sheet, flow, zoom);

  /** Captures everything to save now: by the time the request is sent, the screen may show another student. */
  const save = useCallback(
    async (goesOn: boolean) => {
      const isAccident = goesOn && !isChanged && performance.now() - openedAt.current < accident;
      if (isAccident) return;
      const errors = errorsIn(draft, graded);
      if (Object.keys(errors).length > 0) {
        form.current?.showErrors(errors);
        return;
      }
      if (!isChanged && detail.status === 'graded') {
        if (goesOn) await flow.goOn();
        return;
      }
      const saved = props.save({
        owner,
        studentName: detail.student.name,
        before: detail,
        base,
        draft,
        body: bodyOf(draft, base, detail, kind),
        etag,
        key: crypto.randomUUID(),
      });
      work.markSent(draft);
      if (goesOn) await flow.goOn();
      if (await saved) return;
      work.forgetSent(draft);
      flow.comeBack(detail.id);
    },
    [
      draft,
      base,
      etag,
      isChanged,
      detail,
      kind,
      graded,
      props.save,
      flow,
      owner,
      work.markSent,
      work.forgetSent,
    ],
  );

  const openQuestion = (step: 1 | -1) => {
    const next = questionId === undefined ? undefined : neighbourQuestion(detail, questionId, step);
    if (next !== undefined) void flow.open(detail.id, next);
  };

  useDeskKeys(detail.rubric?.items ?? [], of !== undefined, (command) => {
    switch (command.do) {
      case 'question':
        return openQuestion(command.step);
      case 'save-and-next':
        return void save(true);
      case 'next':
        return void flow.step(1);
      case 'previous':
        return void flow.step(-1);
      case 'toggle':
        if (!detail.rubric) return undefined;
        return work.change({ by: 'rubric', ...withToggled(detail.rubric, draft, command.itemId) });
      case 'none':
        return work.change({ by: 'rubric', ...withNone(draft) });
      case 'grade':
        return form.current?.focusGrade();
      case 'comment':
        return form.current?.focusComment();
      case 'tool':
        return onTool(tool === command.tool ? undefined : command.tool);
      case 'zoom':
        return pages.current?.zoom(command.by);
      case 'page':
        return pages.current?.goTo(command.step);
      case 'undo':
      case 'redo':
        return work.changeMarks({ do: command.do });
      case 'undo-save':
        return props.onUndo();
      case 'drop-tool':
        return onTool(undefined);
      case 'leave-field':
        return (document.activeElement as HTMLElement | null)?.blur();
    }
  });

  const start = useMemo(() => openingPage(detail, of?.question), [detail, of]);

  return (
    <div className="desk-halves">
      <AnswerSheet
        ref={pages}
        files={detail.files}
        start={start}
        // The marks belong to the submission, which has no rubric of its own if it has questions.
        rubric={of ? null : detail.rubric}
        history={history}
        onChange={work.changeMarks}
        tool={tool}
        onTool={onTool}
        zoom={zoom}
        onZoom={onZoom}
        onPaneSize={onPaneSize}
      />
      <aside className="desk-side" aria-label={t('Grading')}>
        <DeskHeader kind={kind} courseId={courseId} detail={detail} draft={draft} of={of} />
        {of && <QuestionList item={item} detail={detail} of={of} points={pointsOf(draft, detail)} />}
        <ClaimNotice target={owner} detail={detail} personId={person.id} />
        <DeskReview item={item} target={owner} />
        {!work.isKept && (
          <p className="notice small" role="alert">
            {t('This device has no space to keep your draft. Save before you leave.')}
          </p>
        )}
        <GradeForm
          ref={form}
          graded={graded}
          courseId={courseId}
          detail={detail}
          draft={draft}
          onChange={work.change}
          onSave={(goesOn) => void save(goesOn)}
          onSkip={() => void flow.skip()}
        />
      </aside>
    </div>
  );
});
