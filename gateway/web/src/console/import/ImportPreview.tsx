import { type ReactNode, useState } from 'react';
import { Button } from 'react-aria-components';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { DataTable } from '../../shared/list/DataTable.tsx';
import { countsByFile, type FileCounts, filtersOf, type RowFilter, rowsOf } from './importPreview.ts';
import type { ImportAction, ImportPlan } from './importTypes.ts';
import { RowChanges } from './RowChanges.tsx';

const actionNames: Record<ImportAction, string> = {
  create: 'New',
  update: 'Changed',
  delete: 'Deleted',
  unchanged: 'Unchanged',
  ignored: 'Ignored',
  error: 'Error',
};
const filterNames: Record<RowFilter, string> = { ...actionNames, changes: 'Changes', all: 'All' };
const countedActions = ['create', 'update', 'delete', 'unchanged', 'error'] as const;
const pageSize = 50;

/** Shows what an import changes: counts by file, then the numbered rows. */
export function ImportPreview({ plan, children }: { plan: ImportPlan; children: ReactNode }) {
  const { t } = useTranslation();
  const files = countsByFile(plan);
  return (
    <>
      <section className="import-part" aria-labelledby="import-summary">
        <h2 id="import-summary">{t('Changes in the file')}</h2>
        {children}
        <Counts files={files} />
        {plan.ignored.length > 0 && (
          <p className="quiet small" dir="auto">
            {t('Ignored: {files}', { files: plan.ignored.join(', ') })}
          </p>
        )}
      </section>
      {files.length > 0 && <Rows key={plan.id} plan={plan} files={files} />}
    </>
  );
}

function Counts({ files }: { files: FileCounts[] }) {
  const { t, formatNumber } = useTranslation();
  return (
    <DataTable
      label={t('Rows by file')}
      rows={files}
      keyOf={({ file }) => file}
      columns={[
        { name: t('File'), cell: ({ file }) => file },
        ...countedActions.map((action) => ({
          name: t(actionNames[action]),
          isNumber: true,
          cell: ({ counts }: FileCounts) => formatNumber(counts[action]),
        })),
      ]}
    />
  );
}

function Rows({ plan, files }: { plan: ImportPlan; files: FileCounts[] }) {
  const { t, formatNumber } = useTranslation();
  const filters = filtersOf(files);
  const [filter, setFilter] = useState<RowFilter>(filters[0]?.filter ?? 'all');
  const [page, setPage] = useState(0);
  const rows = rowsOf(plan.rows, filter);
  const last = Math.ceil(rows.length / pageSize) - 1;
  return (
    <section className="import-part" aria-labelledby="import-rows">
      <h2 id="import-rows">{t('Rows')}</h2>
      <div className="form-buttons">
        {filters.map(({ filter: each, count }) => (
          <Button
            key={each}
            className="button filter-button"
            aria-pressed={each === filter}
            onPress={() => {
              setFilter(each);
              setPage(0);
            }}
          >
            {t(filterNames[each])} <span className="figures">{formatNumber(count)}</span>
          </Button>
        ))}
      </div>
      <DataTable
        label={t('Rows')}
        rows={rows.slice(page * pageSize, (page + 1) * pageSize)}
        keyOf={({ file, line }) => `${file}:${line}`}
        columns={[
          {
            name: t('Row'),
            cell: ({ file, line }) => (
              <span className="figures nowrap">{t('{file}, row {line}', { file, line })}</span>
            ),
          },
          { name: t('Identifier'), cell: ({ sourced_id }) => <bdi>{sourced_id || '–'}</bdi> },
          {
            name: t('Action'),
            cell: ({ action }) => (
              <span className={action === 'error' || action === 'delete' ? 'badge bad' : 'badge'}>
                {t(actionNames[action])}
              </span>
            ),
          },
          { name: t('Fields'), cell: (row) => <RowChanges row={row} /> },
        ]}
      />
      {last > 0 && (
        <nav className="pages" aria-label={t('Pages of the list')}>
          <p className="quiet small figures">
            {t('Page {page} of {last}, {total} in total', {
              page: formatNumber(page + 1),
              last: formatNumber(last + 1),
              total: formatNumber(rows.length),
            })}
          </p>
          <div className="page-links">
            <Button className="button" isDisabled={page === 0} onPress={() => setPage(page - 1)}>
              {t('Previous page')}
            </Button>
            <Button className="button" isDisabled={page === last} onPress={() => setPage(page + 1)}>
              {t('Next page')}
            </Button>
          </div>
        </nav>
      )}
    </section>
  );
}
