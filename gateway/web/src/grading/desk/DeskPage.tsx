import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Activity, lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Button } from 'react-aria-components';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { useShortcuts } from '../../shared/layout/shortcuts.ts';
import type { ItemId, Queue } from '../queue/gradingTypes.ts';
import { describedItemQuery } from '../queue/itemQueries.ts';
import { positiveInteger } from '../queue/positiveInteger.ts';
import { openSheets } from '../sheet/openSheets.ts';
import type { Tool } from '../sheet/tools.ts';
import type { PaneSize } from '../sheet/usePaneSize.ts';
import type { Zoom } from '../sheet/zoom.ts';
import { ConflictDialog } from './ConflictDialog.tsx';
import './desk.css';
import { DeskOf } from './DeskOf.tsx';
import { DeskStatus, Finish } from './DeskStatus.tsx';
import { deskShortcuts, questionShortcuts } from './deskKeys.ts';
import { SaveFailure } from './SaveFailure.tsx';
import { type Look, useGradingFlow } from './useGradingFlow.ts';
import { useSaves } from './useSaves.ts';

const QuestionsPane = lazy(async () => ({ default: (await import('./QuestionsPane.tsx')).QuestionsPane }));

const route = getRouteApi('/inside/graders/grading/$kind/$itemId/submissions/$submissionId');

/**
 * The page on which submissions, or their answers to a question, are graded one after another. It holds the state
 * that outlives a submission. The neighbours of the submission in the URL are also rendered, but hidden, so that
 * showing them takes only one frame.
 */
export function DeskPage() {
  const { t } = useTranslation();
  const { kind, itemId, submissionId } = route.useParams();
  const { question } = route.useSearch();
  const questionId = positiveInteger(question);
  const item: ItemId = useMemo(() => ({ kind, itemId }), [kind, itemId]);
  const queue: Queue = useMemo(() => ({ ...item, questionId }), [item, questionId]);
  const look = useRef<Look>({ paneSize: { width: 800, height: 800 }, zoom: 'fit' });
  const [tool, setTool] = useState<Tool>();
  const [zoom, setZoom] = useState<Zoom>('fit');
  const saves = useSaves(item);
  const { flow, statusText, prepared } = useGradingFlow(queue, submissionId, look);
  const here = useRef(submissionId);
  here.current = submissionId;
  const about = useQuery(describedItemQuery(item));
  const [showsQuestions, setShowsQuestions] = useState(false);
  const questionsUrl = about.data?.item.questions_url ?? undefined;
  const questionsName = kind === 'quizzes' ? t('Questions') : t('Exercises');
  useShortcuts(questionId === undefined ? deskShortcuts : questionShortcuts);
  useEffect(() => () => openSheets.keepOnly([]), []);

  const [onPaneSize] = useState(() => (paneSize: PaneSize) => {
    look.current.paneSize = paneSize;
  });
  look.current.zoom = zoom;

  const { undo } = saves;
  const onUndo = useCallback(async () => {
    const undone = await undo();
    if (undone === undefined) return;
    flow.comeBack(undone.id);
    if (here.current !== undone.id || questionId !== undone.questionId)
      await flow.open(undone.id, undone.questionId);
  }, [undo, flow, questionId]);

  const shared = {
    item: queue,
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
      <DeskStatus item={queue} saves={saves} statusText={statusText} onUndo={onUndo}>
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
      {statusText === 'Nothing left to grade' && saves.pending === 0 && <Finish item={queue} />}
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
          <Activity
            key={`${kind} ${id} ${questionId} ${saves.replaced}`}
            mode={id === submissionId ? 'visible' : 'hidden'}
          >
            <DeskOf id={id} {...shared} />
          </Activity>
        ))}
      </div>
      <ConflictDialog saves={saves} />
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
