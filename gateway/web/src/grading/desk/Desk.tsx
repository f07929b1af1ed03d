import { useCallback, useEffect, useMemo, useRef } from 'react';
import { usePerson } from '../../shared/access/currentSession.ts';
import { useWords } from '../../shared/language/text.ts';
import { Icon } from '../../shared/ui/icons.tsx';
import { flagText } from '../queue/flagText.ts';
import type { ItemId, Sheet } from '../queue/gradingTypes.ts';
import { AnswerSheet, type SheetHandle } from '../sheet/AnswerSheet.tsx';
import { openSheets } from '../sheet/openSheets.ts';
import type { Tool } from '../sheet/tools.ts';
import { type Zoom, zoomed } from '../sheet/zoom.ts';
import { ClaimNotice } from './ClaimNotice.tsx';
import { bodyOf, mistakesIn } from './draft.ts';
import { GradeForm, type GradeFormHandle } from './GradeForm.tsx';
import { toggled } from './selectionPoints.ts';
import { useDeskKeys } from './useDeskKeys.ts';
import { useDraft } from './useDraft.ts';
import type { GradingFlow } from './useGradingFlow.ts';
import type { Saves } from './useSaves.ts';

/** Shorter than anybody decides: a second press of a key, meant for the sheet before. */
const accident = 250;

interface Props {
  item: ItemId;
  courseId: number | undefined;
  usualTotal: number | null;
  sheet: Sheet;
  saves: Saves;
  flow: GradingFlow;
  tool: Tool | undefined;
  onTool(tool: Tool | undefined): void;
  zoom: Zoom;
  onZoom(zoom: Zoom): void;
  onWidth(width: number): void;
}

/** One submission: its sheet, and the form for its grade. */
export function Desk(props: Props) {
  const { item, courseId, usualTotal, sheet, saves, flow, tool, onTool, zoom, onZoom, onWidth } = props;
  const { t, formatTime } = useWords();
  const { detail } = sheet;
  const { kind } = item;
  const person = usePerson();
  const owner = useMemo(() => ({ personId: person.id, kind, id: detail.id }), [person.id, kind, detail.id]);
  const work = useDraft(sheet, owner, usualTotal, kind);
  const { draft, base, etag, history, isChanged } = work;
  const pages = useRef<SheetHandle>(null);
  const form = useRef<GradeFormHandle>(null);
  const openedAt = useRef(performance.now());

  usePrepared(sheet, flow);

  /** Everything that is saved is taken here and now: what is on the screen later belongs to somebody else. */
  const save = useCallback(
    async (goesOn: boolean) => {
      const isAccident = goesOn && !isChanged && performance.now() - openedAt.current < accident;
      if (isAccident) return;
      const mistakes = mistakesIn(draft, kind);
      if (Object.keys(mistakes).length > 0) {
        form.current?.showMistakes(mistakes);
        return;
      }
      if (!isChanged && detail.status === 'graded') {
        if (goesOn) await flow.goOn();
        return;
      }
      const saved = saves.save({
        owner,
        studentName: detail.student.name,
        wasGraded: detail.status === 'graded',
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
    [draft, base, etag, isChanged, detail, kind, saves, flow, owner, work.markSent, work.forgetSent],
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
        return work.change({
          by: 'rubric',
          selection: toggled(detail.rubric, draft.selection, command.itemId),
        });
      case 'grade':
        return form.current?.focusGrade();
      case 'comment':
        return form.current?.focusComment();
      case 'tool':
        return onTool(tool === command.tool ? undefined : command.tool);
      case 'zoom':
        return onZoom(zoomed(zoom, currentFit(sheet), command.by));
      case 'page':
        return pages.current?.goTo(command.step);
      case 'undo':
      case 'redo':
        return work.changeMarks({ do: command.do });
      case 'leave-field':
        return (document.activeElement as HTMLElement | null)?.blur();
    }
  });

  return (
    <div className="desk-halves">
      <AnswerSheet
        ref={pages}
        files={detail.files}
        history={history}
        onChange={work.changeMarks}
        tool={tool}
        onTool={onTool}
        zoom={zoom}
        onZoom={onZoom}
        onWidth={onWidth}
      />
      <aside className="desk-side" aria-label={t('Grading')}>
        <header className="desk-student">
          <h1 className="written">{detail.student.name}</h1>
          <p className="quiet small">
            <time dateTime={detail.submitted_at}>{formatTime(detail.submitted_at)}</time>
            {detail.graded_by && ` · ${t('graded by {name}', { name: detail.graded_by.name })}`}
          </p>
          {detail.flags.map(({ code }) => (
            <p key={code} className="notice small">
              <Icon name="flag" />
              {t(flagText[code])}
            </p>
          ))}
        </header>
        <ClaimNotice kind={kind} detail={detail} personId={person.id} />
        {!work.isKept && (
          <p className="notice small" role="alert">
            {t('This device has no room to keep what you enter. Save before you leave.')}
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
}

/** The scale with which the first page fills its place; it is as the page was drawn last. */
function currentFit({ detail }: Sheet): number {
  const element = document.querySelector<HTMLElement>('.sheet-page');
  const file = detail.files[0] && openSheets.opened(detail.files[0]);
  if (!element || !file) return 1;
  const { width, height } = file.info(1).box;
  return element.offsetWidth / (file.info(1).turn % 180 === 0 ? width : height);
}

/** Prepares what comes next once this sheet is on the screen, and lets go of what is far away. */
function usePrepared({ detail }: Sheet, flow: GradingFlow): void {
  const { id, files } = detail;
  const wasUngraded = useRef(detail.status === 'ungraded');
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each submission
  useEffect(() => {
    let isCurrent = true;
    const prepare = async () => {
      await Promise.allSettled(files.map((file) => openSheets.open(file)));
      if (!isCurrent) return;
      if (wasUngraded.current) flow.prepareNext();
      const around = await flow.prepareNeighbours().catch(() => []);
      if (isCurrent) openSheets.keepOnly([...files, ...around]);
    };
    void prepare();
    return () => {
      isCurrent = false;
    };
  }, [id]);
}
