import { useQueries, useQuery } from '@tanstack/react-query';
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { EmptyState, ErrorState, Loading } from '../../shared/ui/states.tsx';
import { progressQuery, rowsQuery } from '../queue/gradingQueries.ts';
import type { Filter, ItemId, Row } from '../queue/gradingTypes.ts';
import { describedItemQuery } from '../queue/itemQueries.ts';
import { type CursorPages, firstPage, knownRows, pagesOfRows, withPage } from './cursorPages.ts';
import { QueueFinish } from './QueueFinish.tsx';
import { SubmissionRow } from './SubmissionRow.tsx';
import { useWindow } from './useWindow.ts';

const rowRem = 4;
const columns = ['Student', 'Handed in', 'Status', 'Grade', 'Grader', 'Flags'];

/** The submissions of an item. However long the table is, only the visible rows are loaded, rendered and cached. */
export function SubmissionsTable({ item, filter }: { item: ItemId; filter: Filter }) {
  const { t } = useTranslation();
  const [pages, setPages] = useState<CursorPages>(firstPage);
  const body = useRef<HTMLDivElement>(null);
  const count = knownRows(pages);
  const { start, end, rowHeight } = useWindow(body, rowRem, count);
  const shown = pagesOfRows(pages, start, Math.max(end, start + 1));
  const answers = useQueries({ queries: shown.map(({ cursor }) => rowsQuery(item, filter, cursor)) });
  const firsts = shown.map(({ first }) => first);

  // Updates the known pages of the list from the responses.
  useLayoutEffect(() => {
    setPages((before) =>
      shown.reduce((known, { index, cursor }, position) => {
        const data = answers[position]?.data;
        if (!data || known.cursors[index] !== cursor) return known;
        return withPage(known, index, data.data.length, data.links.next);
      }, before),
    );
  });

  const rows = useMemo(() => {
    const found: { position: number; row: Row | undefined; isLast: boolean }[] = [];
    for (let position = start; position < end; position += 1) {
      const page = firsts.findLastIndex((first) => first <= position);
      const row = answers[page]?.data?.data[position - (firsts[page] ?? 0)];
      found.push({ position, row, isLast: position === count - 1 });
    }
    return found;
  }, [start, end, count, firsts, answers]);

  // A ref keeps the rows' callback stable, so that scrolling does not re-render them.
  const shownIds = useRef<number[]>([]);
  shownIds.current = rows.flatMap(({ row }) => (row ? [row.id] : []));
  const neighbours = useCallback(() => shownIds.current, []);

  const failed = answers.find(({ error, data }) => error && !data);
  if (failed && count <= 1) return <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />;
  if (count === 0) return <NoRows item={item} filter={filter} />;
  if (answers[0]?.isPending && count === 1) return <Loading />;

  return (
    <>
      {/* Rows are positioned individually, which no table element allows. ARIA roles make it a table. */}
      <div
        role="table"
        aria-label={t('Submissions')}
        aria-rowcount={pages.isComplete ? count + 1 : -1}
        aria-colcount={columns.length}
        className="submissions"
      >
        <div role="rowgroup" className="submissions-head">
          <div role="row" aria-rowindex={1} className="submission-row">
            {columns.map((column) => (
              <div key={column} role="columnheader">
                {t(column)}
              </div>
            ))}
          </div>
        </div>
        <div
          role="rowgroup"
          ref={body}
          className="submissions-body"
          style={{ blockSize: `${count * rowHeight}px` }}
        >
          {rows.map(({ position, row }) => (
            <SubmissionRow
              key={position}
              item={item}
              row={row}
              index={position}
              top={position * rowHeight}
              neighbours={neighbours}
            />
          ))}
        </div>
      </div>
      {failed && <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />}
    </>
  );
}

function NoRows({ item, filter }: { item: ItemId; filter: Filter }) {
  const { t } = useTranslation();
  const progress = useQuery(progressQuery(item));
  const isDraft = useQuery(describedItemQuery(item)).data?.item.published === false;
  if (filter.search !== '')
    return (
      <EmptyState title={t('No one found')}>
        <p>{t('No student name or email contains this text.')}</p>
      </EmptyState>
    );
  if (progress.isPending) return <Loading />;
  if (filter.status === 'ungraded' && progress.data && progress.data.total > 0)
    return <QueueFinish item={item} />;
  if (filter.status === 'graded') return <EmptyState title={t('Nothing graded yet')} />;
  return (
    <EmptyState title={t('No submissions yet')}>
      {isDraft && <p>{t('Students do not see a draft until you publish it.')}</p>}
    </EmptyState>
  );
}
