import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Activity, lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Button } from 'react-aria-components';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { useShortcuts } from '../../shared/layout/shortcuts.ts';
import { ErrorState, Loading } from '../../shared/ui/states.tsx';
import { sheetQuery } from '../queue/gradingQueries.ts';
import type { ItemId } from '../queue/gradingTypes.ts';
import { describedItemQuery } from '../queue/itemQueries.ts';
import { openSheets } from '../sheet/openSheets.ts';
import type { Tool } from '../sheet/tools.ts';
import type { PaneSize } from '../sheet/usePaneSize.ts';
import type { Zoom } from '../sheet/zoom.ts';
import { ConflictDialog } from './ConflictDialog.tsx';
import { Desk, type DeskProps } from './Desk.tsx';
import './desk.css';
import { DeskStatus, Finish, useItem } from './DeskStatus.tsx';
import { deskShortcuts } from './deskKeys.ts';
import { SaveFailure } from './SaveFailure.tsx';
import { type Look, useGradingFlow } from './useGradingFlow.ts';
import { useSaves } from './useSaves.ts';

const QuestionsPane = lazy(async () => ({ default: (await import('./QuestionsPane.tsx')).QuestionsPane }));

const route = getRouteApi('/inside/graders/grading/$kind/$itemId/submissions/$submissionId');

/**
 * The page on which submissions are graded one after the other. It holds the state that outlives a submission. The
 * neighbours of the submission in the URL are also rendered, but hidden, so that showing them takes only one frame.
 */
export function DeskPage() {
  const { t } = useTranslation();
  const { kind, itemId, submissionId } = route.useParams();
  const item: ItemId = useMemo(() => ({ kind, itemId }), [kind, itemId]);
  const look = useRef<Look>({ paneSize: { width: 800, height: 800 }, zoom: 'fit' });
  const [tool, setTool] = useState<Tool>();
  const [zoom, setZoom] = useState<Zoom>('fit');
  const saves = useSaves(item);
  const { flow, statusText, prepared } = useGradingFlow(item, submissionId, look);
  const here = useRef(submissionId);
  here.current = submissionId;
  const about = useQuery(describedItemQuery(item));
  const [showsQuestions, setShowsQuestions] = useState(false);
  const questionsUrl = about.data?.item.questions_url ?? undefined;
  const questionsName = kind === 'quizzes' ? t('Questions') : t('Exercises');
  useShortcuts(deskShortcuts);
  useEffect(() => () => openSheets.keepOnly([]), []);

  const [onPaneSize] = useState(() => (paneSize: PaneSize) => {
    look.current.paneSize = paneSize;
  });
  look.current.zoom = zoom;

  const { undo } = saves;
  const onUndo = useCallback(async () => {
    const undone = await undo();
    if (undone === undefined) return;
    flow.comeBack(undone);
    if (here.current !== undone) await flow.open(undone);
  }, [undo, flow]);

  const shared = {
    item,
    save: saves.save,
    onUndo,
    flow,
    tool,
    onTool: setTool,
    zoom,
    onZoom: setZoom,
    onPaneSize,
  };
  const ids = useStableOrder([submissionId, ...prepared]);
  return (
    <div className="desk">
      <DeskStatus item={item} saves={saves} statusText={statusText} onUndo={onUndo}>
        {questionsUrl !== undefined && (
          <Button
            className="text-button"
            aria-expanded={showsQuestions}
            onPress={() => setShowsQuestions((before) => !before)}
          >
            {questionsName}
          </Button>
        )}
      </DeskStatus>
      {statusText === 'Nothing left to grade' && saves.pending === 0 && <Finish item={item} />}
      <div className="desk-body">
        {showsQuestions && questionsUrl !== undefined && (
          <Suspense fallback={null}>
            <QuestionsPane
              title={questionsName}
              url={questionsUrl}
              onClose={() => setShowsQuestions(false)}
            />
          </Suspense>
        )}
        {ids.map((id) => (
          // A new key drops all state, for another submission or when another grading has replaced the user's input.
          <Activity key={`${kind} ${id} ${saves.replaced}`} mode={id === submissionId ? 'visible' : 'hidden'}>
            <DeskOf id={id} {...shared} />
          </Activity>
        ))}
      </div>
      <ConflictDialog saves={saves} kind={kind} />
      <SaveFailure item={item} saves={saves} onForget={flow.comeBack} />
    </div>
  );
}

/** Keeps ids in their original order, because moving an element in the DOM would lay it out again. */
function useStableOrder(ids: number[]): number[] {
  const last = useRef<number[]>([]);
  const wanted = new Set(ids);
  last.current = [...new Set([...last.current.filter((id) => wanted.has(id)), ...wanted])];
  return last.current;
}

type Shared = Omit<DeskProps, 'sheet' | 'courseId' | 'usualTotal'>;

/** Shows the desk of one submission once it has been loaded. */
function DeskOf({ id, ...shared }: Shared & { id: number }) {
  const { item } = shared;
  const about = useItem(item);
  const sheet = useQuery(sheetQuery(item.kind, id));
  // Shows only a response that belongs to the URL.
  const shown = sheet.data?.detail.id === id ? sheet.data : undefined;
  if (shown && shown.detail.item_id !== item.itemId)
    return <Elsewhere kind={item.kind} itemId={shown.detail.item_id} submissionId={id} />;
  if (sheet.error && !shown)
    return <ErrorState error={sheet.error} onRetry={() => void sheet.refetch()} isPage />;
  if (!shown || about.isPending) return <Loading />;
  return (
    <Desk
      {...shared}
      courseId={about.data?.course_id}
      usualTotal={about.data?.total_grade ?? null}
      sheet={shown}
    />
  );
}

/** Shown when the URL names an item other than the submission's. */
function Elsewhere({ kind, itemId, submissionId }: ItemId & { submissionId: number }) {
  const { t } = useTranslation();
  return (
    <div className="state">
      <h1>{t('This submission belongs to another quiz or homework')}</h1>
      <Link
        to="/grading/$kind/$itemId/submissions/$submissionId"
        params={{ kind, itemId, submissionId }}
        className="button"
      >
        {t('Open it there')}
      </Link>
    </div>
  );
}
