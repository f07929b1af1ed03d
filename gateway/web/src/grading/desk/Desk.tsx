import { memo, useCallback, useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { usePerson } from '../../shared/session/currentSession.ts';
import type { ItemId, Sheet } from '../queue/gradingTypes.ts';
import { AnswerSheet, type SheetHandle } from '../sheet/AnswerSheet.tsx';
import { openSheets } from '../sheet/openSheets.ts';
import type { Tool } from '../sheet/tools.ts';
import type { PaneSize } from '../sheet/usePaneSize.ts';
import type { Zoom } from '../sheet/zoom.ts';
import { afterPaint } from './afterPaint.ts';
import { ClaimNotice } from './ClaimNotice.tsx';
import { DeskHeader } from './DeskHeader.tsx';
import { bodyOf, errorsIn } from './draft.ts';
import { GradeForm, type GradeFormHandle } from './GradeForm.tsx';
import { withNone, withToggled } from './selectionPoints.ts';
import { useDeskKeys } from './useDeskKeys.ts';
import { useDraft } from './useDraft.ts';
import type { GradingFlow } from './useGradingFlow.ts';
import type { Saves } from './useSaves.ts';

/** Faster than anyone can decide: a second key press within this time was meant for the previous sheet. */
const accident = 250;

export interface DeskProps {
  item: ItemId;
  courseId: number | undefined;
  usualTotal: number | null;
  sheet: Sheet;
  save: Saves['save'];
  onUndo(): void;
  flow: GradingFlow;
  tool: Tool | undefined;
  onTool(tool: Tool | undefined): void;
  zoom: Zoom;
  onZoom(zoom: Zoom): void;
  onPaneSize(paneSize: PaneSize): void;
}

/** One submission: its sheet and the grade form. */
export const Desk = memo(function Desk(props: DeskProps) {
  const { item, courseId, usualTotal, sheet, flow, tool, onTool, zoom, onZoom, onPaneSize } = props;
  const { t } = useTranslation();
  const { detail } = sheet;
  const { kind } = item;
  const person = usePerson();
  const owner = useMemo(() => ({ personId: person.id, kind, id: detail.id }), [person.id, kind, detail.id]);
  const work = useDraft(sheet, owner, usualTotal, kind);
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
      const errors = errorsIn(draft, kind);
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
    [draft, base, etag, isChanged, detail, kind, props.save, flow, owner, work.markSent, work.forgetSent],
  );

  useDeskKeys(detail.rubric?.items ?? [], (command) => {
    switch (command.do) {
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

  return (
    <div className="desk-halves">
      <AnswerSheet
        ref={pages}
        files={detail.files}
        rubric={detail.rubric}
        history={history}
        onChange={work.changeMarks}
        tool={tool}
        onTool={onTool}
        zoom={zoom}
        onZoom={onZoom}
        onPaneSize={onPaneSize}
      />
      <aside className="desk-side" aria-label={t('Grading')}>
        <DeskHeader kind={kind} courseId={courseId} detail={detail} draft={draft} />
        <ClaimNotice kind={kind} detail={detail} personId={person.id} />
        {!work.isKept && (
          <p className="notice small" role="alert">
            {t('This device has no space to keep your draft. Save before you leave.')}
          </p>
        )}
        <GradeForm
          ref={form}
          kind={kind}
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

/** Prepares the neighbouring sheets once this one has been painted, and releases all others. */
function usePrepared({ detail }: Sheet, flow: GradingFlow, zoom: Zoom): void {
  const { id, files } = detail;
  const wasUngraded = useRef(detail.status === 'ungraded');
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once for each submission and zoom
  useEffect(() => {
    let isCurrent = true;
    const prepare = async () => {
      await afterPaint();
      if (!isCurrent) return;
      openSheets.keepOnly([...files, ...filesOf(flow.heldSheets())]);
      await Promise.allSettled(files.map((file) => openSheets.open(file)));
      if (!isCurrent) return;
      const around = await flow.prepare(wasUngraded.current);
      if (isCurrent) openSheets.keepOnly([...files, ...filesOf(around)]);
    };
    void prepare();
    return () => {
      isCurrent = false;
    };
  }, [id, zoom]);
}

const filesOf = (sheets: Sheet[]) => sheets.flatMap(({ detail }) => detail.files);
