import { useTranslation } from '../language/useTranslation.ts';
import './rowSelection.css';

type Key = string | number;

/** Rows that the user selected. Rows of other pages stay selected. */
export interface Selection<T> {
  selected: ReadonlyMap<Key, T>;
  onSelect(selected: ReadonlyMap<Key, T>): void;
  /** Names the checkbox of a row. */
  nameOf(row: T): string;
}

interface Props<T> {
  keyOf(row: T): Key;
  selection: Selection<T>;
}

/** Selects all rows on the page, or none. */
export function SelectAll<T>({ rows, keyOf, selection }: Props<T> & { rows: T[] }) {
  const { t } = useTranslation();
  const { selected, onSelect } = selection;
  const count = rows.filter((row) => selected.has(keyOf(row))).length;
  return (
    <label>
      <input
        type="checkbox"
        aria-label={t('Select all on this page')}
        ref={(box) => {
          if (box) box.indeterminate = count > 0 && count < rows.length;
        }}
        checked={count === rows.length}
        onChange={(event) => onSelect(changed(selected, rows, keyOf, event.target.checked))}
      />
      {/* Rows shown as cards have no checkbox column that would explain this one. */}
      <span className="select-all-name" aria-hidden="true">
        {t('Select all on this page')}
      </span>
    </label>
  );
}

export function SelectRow<T>({ row, keyOf, selection }: Props<T> & { row: T }) {
  const { t } = useTranslation();
  const { selected, onSelect, nameOf } = selection;
  return (
    <input
      type="checkbox"
      aria-label={t('Select {name}', { name: nameOf(row) })}
      checked={selected.has(keyOf(row))}
      onChange={(event) => onSelect(changed(selected, [row], keyOf, event.target.checked))}
    />
  );
}

function changed<T>(
  selected: ReadonlyMap<Key, T>,
  rows: T[],
  keyOf: (row: T) => Key,
  isSelected: boolean,
): ReadonlyMap<Key, T> {
  const next = new Map(selected);
  for (const row of rows) {
    if (isSelected) next.set(keyOf(row), row);
    else next.delete(keyOf(row));
  }
  return next;
}
