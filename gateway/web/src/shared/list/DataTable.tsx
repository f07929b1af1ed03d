import type { ReactNode } from 'react';
import { useTranslation } from '../language/useTranslation.ts';
import './list.css';
import { SelectAll, type Selection, SelectRow } from './RowSelection.tsx';
import { SortButton } from './SortButton.tsx';
import { useSortedRows } from './useSortedRows.ts';

export interface Column<T> {
  name: string;
  cell(row: T): ReactNode;
  /** Aligns numbers with the end of the column. */
  isNumber?: boolean;
  /** Makes the heading a button that sorts all rows by this value. */
  sortBy?(row: T): string | number;
}

interface Props<T> {
  label: string;
  columns: Column<T>[];
  rows: T[];
  keyOf(row: T): string | number;
  /** Buttons at the end of a row. */
  actions?: ((row: T) => ReactNode) | undefined;
  /** Adds a checkbox to each row. */
  selection?: Selection<T> | undefined;
}

/**
 * A table whose rows become cards where columns do not fit. The first column names the row. The roles are explicit
 * because browsers drop a table's roles when CSS changes its display type.
 */
export function DataTable<T>({ label, columns, rows, keyOf, actions, selection }: Props<T>) {
  const { t } = useTranslation();
  const { sorted, orderOf, sort } = useSortedRows(rows, columns);
  return (
    // biome-ignore-start lint/a11y/noRedundantRoles: see above
    <table role="table" aria-label={label} className="data-table card">
      <thead role="rowgroup">
        <tr role="row">
          {selection && (
            <td role="cell" className="cell-select">
              <SelectAll rows={rows} keyOf={keyOf} selection={selection} />
            </td>
          )}
          {columns.map(({ name, isNumber, sortBy }) => (
            <th
              key={name}
              scope="col"
              role="columnheader"
              className={isNumber ? 'number' : undefined}
              aria-sort={sortBy && orderOf(name)}
            >
              {sortBy ? <SortButton name={name} order={orderOf(name)} onPress={() => sort(name)} /> : name}
            </th>
          ))}
          {actions && (
            <th scope="col" role="columnheader">
              <span className="unseen">{t('Actions')}</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {sorted.map((row) => (
          <tr key={keyOf(row)} role="row">
            {selection && (
              <td role="cell" className="cell-select">
                <SelectRow row={row} keyOf={keyOf} selection={selection} />
              </td>
            )}
            {columns.map(({ name, cell, isNumber }, index) =>
              index === 0 ? (
                <th key={name} scope="row" role="rowheader">
                  {cell(row)}
                </th>
              ) : (
                <td key={name} role="cell" className={isNumber ? 'number figures' : undefined}>
                  <span className="cell-name" aria-hidden="true">
                    {name}
                  </span>
                  <span className="cell-value">{cell(row)}</span>
                </td>
              ),
            )}
            {actions && (
              <td role="cell" className="cell-actions">
                <div>{actions(row)}</div>
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
    // biome-ignore-end lint/a11y/noRedundantRoles: see above
  );
}
