import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import { Choice, Field, TimeField } from '../../shared/form/Field.tsx';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { PersonPicker } from '../pickers/PersonPicker.tsx';
import { personQuery } from '../pickers/personQueries.ts';
import { type AuditParams, auditParams } from '../searchParams.ts';
import './audit.css';
import { actionNames, objectNames } from './auditTexts.ts';
import { useIsNarrow } from './useIsNarrow.ts';

const route = getRouteApi('/inside/admins/console/audit');

/** The filters of the log. They would fill a phone's screen above the list, so they stay collapsed until one is set. */
export function AuditFilters() {
  const { t } = useTranslation();
  const isNarrow = useIsNarrow();
  const { cursor: _, ...filters } = route.useSearch();
  const isFiltered = Object.keys(filters).length > 0;
  // Only the initial state: a form that a user has opened stays open while the filters change.
  const [isOpen] = useState(isFiltered);
  const form = <FilterForm isFiltered={isFiltered} />;
  if (!isNarrow) return form;
  return (
    <details className="folded" open={isOpen}>
      <summary>{t('Filters')}</summary>
      {form}
    </details>
  );
}

/** The filters are stored in the page's URL. */
function FilterForm({ isFiltered }: { isFiltered: boolean }) {
  const { t } = useTranslation();
  const address = route.useSearch();
  const navigate = route.useNavigate();
  const person = useQuery({ ...personQuery(address.actor ?? 0), enabled: address.actor !== undefined });
  const personName =
    address.actor === undefined ? '' : (person.data?.name ?? (person.error ? String(address.actor) : ''));
  // A new filter starts with the newest entries.
  const filter = (change: { [K in keyof AuditParams]: AuditParams[K] | undefined }) =>
    void navigate({
      search: ({ cursor: _, ...before }) => auditParams({ ...before, ...change }),
      replace: true,
      resetScroll: false,
    });
  const named = (names: Record<string, string>) =>
    Object.entries(names)
      .map(([value, english]) => [value, t(english)] as const)
      .toSorted(([, one], [, other]) => one.localeCompare(other));

  return (
    <form
      className="audit-filters"
      aria-label={t('Filters')}
      onSubmit={(event) => {
        event.preventDefault();
        filter({ object: String(new FormData(event.currentTarget).get('object')) });
      }}
    >
      <PersonPicker
        key={`person-${personName}`}
        label={t('Who')}
        text={personName}
        onChoose={(chosen) => {
          if (chosen) filter({ actor: chosen.id });
        }}
      />
      <Choice
        label={t('Action')}
        value={address.action ?? ''}
        options={[['', t('All')], ...named(actionNames)]}
        onChange={(action) => filter({ action })}
      />
      <Choice
        label={t('Object')}
        value={address.type ?? ''}
        options={[['', t('All')], ...named(objectNames)]}
        onChange={(type) => filter({ type })}
      />
      <Field
        key={`object-${address.object ?? ''}`}
        label={t('ID')}
        name="object"
        maxLength={100}
        defaultValue={address.object ?? ''}
        onBlur={(event) => {
          if (event.target.value.trim() !== (address.object ?? '')) filter({ object: event.target.value });
        }}
      />
      <TimeField
        label={t('From')}
        value={address.from ?? ''}
        onChange={(event) => filter({ from: event.target.value })}
      />
      <TimeField
        label={t('Until')}
        value={address.to ?? ''}
        onChange={(event) => filter({ to: event.target.value })}
      />
      {isFiltered && (
        <Button
          className="button plain"
          onPress={() => void navigate({ search: {}, replace: true, resetScroll: false })}
        >
          {t('Clear the filters')}
        </Button>
      )}
    </form>
  );
}
