import { fieldName } from '../../shared/form/fieldNames.ts';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { valueText } from '../list/valueText.ts';
import type { ImportRow } from './importTypes.ts';

/** Lists the fields that a row changes, and its errors. Fields have their API names. */
export function RowChanges({ row }: { row: ImportRow }) {
  const translation = useTranslation();
  const { t } = translation;
  const changes = Object.entries(row.changes) as [string, unknown[]][];
  if (changes.length === 0 && row.messages.length === 0) return <span className="quiet">–</span>;
  return (
    <ul className="row-changes">
      {row.messages.map((message) => (
        <li key={message} dir="auto" className={row.action === 'error' ? 'field-error' : undefined}>
          {message}
        </li>
      ))}
      {changes.map(([field, [before, after]]) => (
        <li key={field}>
          <span className="quiet small">{t(fieldName(field))}</span> <Value value={before} />{' '}
          {valueText(before, translation) !== null && <span className="unseen">{t('becomes')}</span>}
          {valueText(before, translation) !== null && <span aria-hidden="true">→ </span>}
          <Value value={after} isRemoved={valueText(before, translation) !== null} />
        </li>
      ))}
    </ul>
  );
}

function Value({ value, isRemoved = false }: { value: unknown; isRemoved?: boolean }) {
  const translation = useTranslation();
  const { t } = translation;
  const text = valueText(value, translation);
  if (text !== null) return <bdi>{text}</bdi>;
  return isRemoved ? <span className="quiet">{t('empty')}</span> : null;
}
