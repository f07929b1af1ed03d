import { useTranslation } from '../../shared/language/useTranslation.ts';
import type { WorkItem } from '../records/teachingTypes.ts';

const states = { draft: 'Draft', open: 'Open', closed: 'Closed' } as const;

export function StateBadge({ state }: { state: WorkItem['state'] }) {
  const { t } = useTranslation();
  return <span className={state === 'open' ? 'badge accent' : 'badge'}>{t(states[state])}</span>;
}

/** Whether students see the grades of an item. */
export function ReleaseBadge({ releasedAt }: { releasedAt: string | null }) {
  const { t } = useTranslation();
  return releasedAt === null ? (
    <span className="badge warning">{t('Held back')}</span>
  ) : (
    <span className="badge">{t('Released')}</span>
  );
}
