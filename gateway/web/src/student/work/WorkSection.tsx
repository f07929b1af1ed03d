import { useState } from 'react';
import { Button } from 'react-aria-components';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import type { Work } from './workGroups.ts';

interface SectionProps {
  title: string;
  works: Work[];
  empty: string | null;
  children(work: Work): React.ReactNode;
}

/** A school year has many items, so the rest are shown on demand. */
const shownAtFirst = 12;

/** Lists quizzes and homework in the same state. */
export function WorkSection({ title, works, empty, children }: SectionProps) {
  const { t } = useTranslation();
  const [isLong, setLong] = useState(false);
  if (works.length === 0 && empty === null) return null;
  const shown = isLong ? works : works.slice(0, shownAtFirst);
  return (
    <section className="works" aria-label={title}>
      <h2>{title}</h2>
      {works.length === 0 ? <p className="quiet">{empty}</p> : <ul>{shown.map(children)}</ul>}
      {shown.length < works.length && (
        <div>
          <Button className="button" onPress={() => setLong(true)}>
            {t('Show all {count}', { count: String(works.length) })}
          </Button>
        </div>
      )}
    </section>
  );
}
