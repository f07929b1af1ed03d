import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from '../language/useTranslation.ts';
import { EmptyState, ErrorState, Loading } from '../ui/states.tsx';
import './list.css';

export interface ListPage<T> {
  data: T[];
  meta: { current_page: number; last_page: number; total: number };
}

interface Props<T> {
  list: UseQueryResult<ListPage<T>>;
  /** Shown when the list has no entries. */
  empty: ReactNode;
  children(rows: T[]): ReactNode;
}

/** Shows one page of a list in each of its states. The previous page stays visible while the next one loads. */
export function PagedList<T>({ list, empty, children }: Props<T>) {
  const { t } = useTranslation();
  const { data, error, isPlaceholderData } = list;
  if (error && (!data || isPlaceholderData))
    return <ErrorState error={error} onRetry={() => void list.refetch()} />;
  if (!data) return <Loading />;
  if (data.meta.total === 0) return empty;
  return (
    <div className="paged-list" aria-busy={isPlaceholderData}>
      {data.data.length === 0 ? (
        <EmptyState title={t('The list has fewer pages now')} />
      ) : (
        children(data.data)
      )}
      <Pages {...data.meta} />
    </div>
  );
}

const toPage = (page: number) =>
  ((before: object) => ({ ...before, page: page === 1 ? undefined : page })) as never;

function Pages({ current_page: page, last_page: last, total }: ListPage<unknown>['meta']) {
  const { t, formatNumber } = useTranslation();
  const [previous, next] = [Math.min(page - 1, last), page + 1];
  return (
    <nav className="pages" aria-label={t('Pages of the list')}>
      <p className="quiet small figures">
        {last > 1
          ? t('Page {page} of {last}, {total} in total', {
              page: formatNumber(page),
              last: formatNumber(last),
              total: formatNumber(total),
            })
          : t('{total} in total', { total: formatNumber(total) })}
      </p>
      {last > 1 || page > last ? (
        <div className="page-links">
          <PageLink search={toPage(previous)} isThere={page > 1}>
            {t('Previous page')}
          </PageLink>
          <PageLink search={toPage(next)} isThere={page < last}>
            {t('Next page')}
          </PageLink>
        </div>
      ) : null}
    </nav>
  );
}

/** A link to another page of the list. Without a target it stays in place, disabled. */
export function PageLink({
  search,
  isThere,
  children,
}: {
  search: never;
  isThere: boolean;
  children: ReactNode;
}) {
  return isThere ? (
    <Link to="." search={search} className="button" resetScroll>
      {children}
    </Link>
  ) : (
    <span className="button" data-disabled="true">
      {children}
    </span>
  );
}
