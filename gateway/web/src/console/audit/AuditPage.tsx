import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { EmptyState, ErrorState, Loading } from '../../shared/ui/states.tsx';
import '../../shared/form/form.css';
import { DownloadButton } from '../../shared/download/DownloadButton.tsx';
import { PageHeader } from '../../shared/layout/PageHeader.tsx';
import { DataTable } from '../../shared/list/DataTable.tsx';
import { PageLink } from '../../shared/list/PagedList.tsx';
import { RowButton } from '../../shared/list/RowButton.tsx';
import { Time } from '../../shared/time/Time.tsx';
import { AuditFilters } from './AuditFilters.tsx';
import { type AuditEntry, auditQuery, saveAudit } from './auditRequests.ts';
import { actionNames, objectNames } from './auditTexts.ts';
import { EntryDialog } from './EntryDialog.tsx';

const route = getRouteApi('/inside/admins/console/audit');

export function AuditPage() {
  const { t } = useTranslation();
  const address = route.useSearch();
  const log = useQuery(auditQuery(address));
  const { data, error } = log;
  return (
    <>
      <PageHeader title={t('Audit log')}>
        <div className="header-buttons">
          <DownloadButton text={t('Download as CSV')} onSave={() => saveAudit(address)} />
        </div>
      </PageHeader>
      <AuditFilters />
      {error && (!data || log.isPlaceholderData) ? (
        <ErrorState error={error} onRetry={() => void log.refetch()} />
      ) : !data ? (
        <Loading />
      ) : data.entries.length === 0 ? (
        <EmptyState title={t('No entries match these filters')} />
      ) : (
        <div className="paged-list" aria-busy={log.isPlaceholderData}>
          <Entries entries={data.entries} />
          <nav className="pages" aria-label={t('Pages of the list')}>
            <div className="page-links">
              <PageLink search={cursorOf(undefined)} isThere={address.cursor !== undefined}>
                {t('Newest entries')}
              </PageLink>
              <PageLink search={cursorOf(data.next)} isThere={data.next !== undefined}>
                {t('Older entries')}
              </PageLink>
            </div>
          </nav>
        </div>
      )}
    </>
  );
}

const cursorOf = (cursor: string | undefined) => ((before: object) => ({ ...before, cursor })) as never;

function Entries({ entries }: { entries: AuditEntry[] }) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState<AuditEntry>();
  return (
    <>
      <DataTable
        label={t('Audit log')}
        rows={entries}
        keyOf={({ id }) => id}
        columns={[
          { name: t('Action'), cell: ({ action }) => t(actionNames[action] ?? action) },
          {
            name: t('Who'),
            cell: ({ actor }) => (actor ? <span className="written">{actor.name}</span> : t('Not logged in')),
          },
          {
            name: t('Object'),
            cell: ({ object }) =>
              object ? (
                <>
                  {t(objectNames[object.type] ?? object.type)} <bdi className="figures">{object.id}</bdi>
                </>
              ) : (
                '–'
              ),
          },
          { name: t('Time'), cell: ({ at }) => <Time at={at} /> },
        ]}
        actions={(entry) => (
          <RowButton
            text={t('Details')}
            label={t('Details of entry {id}', { id: String(entry.id) })}
            onPress={() => setOpened(entry)}
          />
        )}
      />
      {opened && <EntryDialog entry={opened} onClose={() => setOpened(undefined)} />}
    </>
  );
}
