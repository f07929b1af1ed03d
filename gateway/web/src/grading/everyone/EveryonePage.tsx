import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError } from '../../shared/api/apiError.ts';
import { SearchField } from '../../shared/form/SearchField.tsx';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import type { Selection } from '../../shared/list/RowSelection.tsx';
import { EmptyState, ErrorState, Loading } from '../../shared/ui/states.tsx';
import { itemQuery } from '../queue/gradingQueries.ts';
import type { EveryoneRow } from '../queue/gradingTypes.ts';
import { useIsTeacher } from '../queue/itemQueries.ts';
import './everyone.css';
import { EveryoneDialogs, type OpenDialog } from './EveryoneDialogs.tsx';
import { EveryonePages } from './EveryonePages.tsx';
import { EveryoneTable } from './EveryoneTable.tsx';
import { cursorIn, everyoneQuery } from './everyoneQueries.ts';
import { SelectionBar } from './SelectionBar.tsx';
import { StateFilter } from './StateFilter.tsx';
import { isStudentState, type StudentState } from './studentState.ts';

const route = getRouteApi('/inside/graders/grading/$kind/$itemId/tabs/everyone');

/** All students who should hand in, whether or not they have. */
export function EveryonePage() {
  const { t } = useTranslation();
  const item = route.useParams();
  const found = route.useSearch();
  const state = isStudentState(found.state) ? found.state : undefined;
  const search = String(found.search ?? '');
  const navigate = route.useNavigate();
  const about = useQuery(itemQuery(item));
  const isTeacher = useIsTeacher(about.data?.course_id);
  /** The cursors of the pages up to this one. The first page has none. */
  const [cursors, setCursors] = useState<string[]>([]);
  const [selected, setSelected] = useState<Selection<EveryoneRow>['selected']>(new Map());
  const [open, setOpen] = useState<OpenDialog>();
  const { data, error, refetch } = useQuery(everyoneQuery(item, { state, search }, cursors.at(-1)));

  const filter = (change: { state?: StudentState | undefined; search?: string | undefined }) => {
    setCursors([]);
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true, resetScroll: false });
  };
  const next = data && cursorIn(data.links.next);

  if (error instanceof ApiError && error.status === 409)
    return (
      <EmptyState title={t('This item is graded anonymously')}>
        <p>{t('Who has handed in is shown once the grades are released.')}</p>
      </EmptyState>
    );
  return (
    <div className="everyone">
      <div className="submission-filters">
        <StateFilter
          state={state}
          counts={data?.meta.counts}
          onChange={(chosen) => filter({ state: chosen })}
        />
        <SearchField
          text={search}
          placeholder={t('Name or email')}
          onFind={(text) => filter({ search: text === '' ? undefined : text })}
        />
      </div>
      {isTeacher && (
        <SelectionBar
          count={selected.size}
          onClear={() => setSelected(new Map())}
          onAllow={() => setOpen({ do: 'allow', students: [...selected.values()] })}
        />
      )}
      {error && !data ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Loading />
      ) : data.data.length === 0 ? (
        <EmptyState title={search === '' && state === undefined ? t('No students yet') : t('No one found')} />
      ) : (
        <>
          <EveryoneTable
            item={item}
            rows={data.data}
            selected={selected}
            onSelect={setSelected}
            onHandIn={(row) => setOpen({ do: 'hand in', row })}
            isTeacher={isTeacher}
          />
          <EveryonePages
            hasPrevious={cursors.length > 0}
            hasNext={next !== undefined}
            onPrevious={() => setCursors((before) => before.slice(0, -1))}
            onNext={() => next !== undefined && setCursors((before) => [...before, next])}
          />
        </>
      )}
      <EveryoneDialogs
        item={item}
        open={open}
        onDone={() => setSelected(new Map())}
        onClose={() => setOpen(undefined)}
      />
    </div>
  );
}
