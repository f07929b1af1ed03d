import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { Loaded } from '../../shared/ui/Loaded.tsx';
import { EmptyState } from '../../shared/ui/states.tsx';
import { coursesQuery } from '../../shared/api/ownCourses.ts';
import type { ItemId } from '../queue/gradingTypes.ts';
import { type DescribedItem, describedItemQuery } from '../queue/itemQueries.ts';
import { ItemActions } from './ItemActions.tsx';
import './settings.css';
import { SettingsForm } from './SettingsForm.tsx';

const route = getRouteApi('/inside/graders/grading/$kind/$itemId/tabs/settings');

/** The settings of a quiz or an assignment, for teachers. */
export function SettingsPage() {
  const { t } = useTranslation();
  const item = route.useParams();
  const courses = useQuery(coursesQuery);
  const described = useQuery({ ...describedItemQuery(item), staleTime: 0 });
  return (
    <Loaded query={described}>
      {(stored) => (
        <Loaded query={courses}>
          {(all) =>
            all.find(({ id }) => id === stored.item.course_id)?.role === 'teacher' ? (
              <Settings id={item} stored={stored} />
            ) : (
              <EmptyState title={t('Only teachers of the course can change its settings')} />
            )
          }
        </Loaded>
      )}
    </Loaded>
  );
}

/** The form keeps the version that it shows: a response that arrives later must not replace what is being typed. */
function Settings({ id, stored }: { id: ItemId; stored: DescribedItem }) {
  const [base, setBase] = useState(stored);
  const [version, setVersion] = useState(0);
  const restart = (current: DescribedItem) => {
    setBase(current);
    setVersion((before) => before + 1);
  };
  return (
    <div className="settings">
      <SettingsForm key={version} id={id} base={base} onSaved={setBase} onRestart={restart} />
      <ItemActions id={id} item={base.item} />
    </div>
  );
}
