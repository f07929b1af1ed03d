import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useWords } from '../../shared/language/text.ts';
import { useShortcuts } from '../../shared/layout/shortcuts.ts';
import { Icon } from '../../shared/ui/icons.tsx';
import { ErrorState, Loading } from '../../shared/ui/states.tsx';
import { itemQuery, progressQuery, sheetQuery } from '../queue/gradingQueries.ts';
import type { ItemId } from '../queue/gradingTypes.ts';
import { openSheets } from '../sheet/openSheets.ts';
import type { Tool } from '../sheet/tools.ts';
import type { Zoom } from '../sheet/zoom.ts';
import { ConflictDialog } from './ConflictDialog.tsx';
import { Desk } from './Desk.tsx';
import './desk.css';
import { deskShortcuts } from './deskKeys.ts';
import { SaveFailure } from './SaveFailure.tsx';
import { type Look, useGradingFlow } from './useGradingFlow.ts';
import { type Saves, useSaves } from './useSaves.ts';

const route = getRouteApi('/inside/graders/grading/$kind/$itemId/submissions/$submissionId');

/** Where submissions are graded, one after the other. What stays from one to the next lives here. */
export function DeskPage() {
  const { kind, itemId, submissionId } = route.useParams();
  const item: ItemId = useMemo(() => ({ kind, itemId }), [kind, itemId]);
  const look = useRef<Look>({ width: 800, zoom: 'fit' });
  const [tool, setTool] = useState<Tool>();
  const [zoom, setZoom] = useState<Zoom>('fit');
  const about = useQuery(itemQuery(item));
  const sheet = useQuery(sheetQuery(kind, submissionId));
  const saves = useSaves(item);
  const flow = useGradingFlow(item, submissionId, look);
  useShortcuts(deskShortcuts);
  useEffect(() => () => openSheets.keepOnly([]), []);

  const onWidth = useCallback((width: number) => {
    look.current.width = width;
  }, []);
  look.current.zoom = zoom;

  // The answer belongs to the address, or is not shown.
  const shown = sheet.data?.detail.id === submissionId ? sheet.data : undefined;
  const isElsewhere = shown !== undefined && shown.detail.item_id !== itemId;

  return (
    <div className="desk">
      <DeskStatus item={item} saves={saves} said={flow.said} />
      {shown && !isElsewhere && !about.isPending ? (
        <Desk
          // Another submission, or another grader's grading instead of one's own, begins with nothing of the last.
          key={`${submissionId} ${saves.replaced}`}
          item={item}
          courseId={about.data?.course_id}
          usualTotal={about.data?.total_grade ?? null}
          sheet={shown}
          saves={saves}
          flow={flow}
          tool={tool}
          onTool={setTool}
          zoom={zoom}
          onZoom={setZoom}
          onWidth={onWidth}
        />
      ) : sheet.error && !shown ? (
        <ErrorState error={sheet.error} onRetry={() => void sheet.refetch()} isPage />
      ) : isElsewhere ? (
        <Elsewhere kind={kind} itemId={shown.detail.item_id} submissionId={submissionId} />
      ) : (
        <Loading />
      )}
      <ConflictDialog saves={saves} kind={kind} />
      <SaveFailure item={item} saves={saves} onForget={flow.comeBack} />
    </div>
  );
}

/** An address that names another quiz than the submission's. */
function Elsewhere({ kind, itemId, submissionId }: ItemId & { submissionId: number }) {
  const { t } = useWords();
  return (
    <div className="state">
      <h1>{t('This submission belongs to something else')}</h1>
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

function DeskStatus({ item, saves, said }: { item: ItemId; saves: Saves; said: string }) {
  const { t } = useWords();
  const about = useQuery(itemQuery(item));
  const progress = useQuery(progressQuery(item));
  const status = [saves.said, said].filter((each) => each !== '');
  return (
    <div className="desk-status small">
      <Link to="/grading/$kind/$itemId" params={item} className="breadcrumb">
        <Icon name="back" />
        <span className="written-line">{about.data?.title ?? t('Grading')}</span>
      </Link>
      <p role="status" className={saves.said === 'Saved' ? 'quiet' : ''}>
        {status.map((each) => t(each)).join(' · ')}
      </p>
      <p className="figures quiet">
        {progress.data &&
          t('{graded} of {total}', {
            graded: String(progress.data.graded),
            total: String(progress.data.total),
          })}
      </p>
    </div>
  );
}
