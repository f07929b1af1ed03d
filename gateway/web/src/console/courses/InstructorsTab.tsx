import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import { ConfirmDialog } from '../../shared/form/ConfirmDialog.tsx';
import { FormDialog } from '../../shared/form/FormDialog.tsx';
import { useDialogForm } from '../../shared/form/useDialogForm.ts';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { Section } from '../../shared/layout/Section.tsx';
import { RowButton } from '../../shared/list/RowButton.tsx';
import { EmptyState } from '../../shared/ui/states.tsx';
import { PersonPicker } from '../pickers/PersonPicker.tsx';
import { courseKey, instructorsQuery } from './courseLists.ts';
import { assignInstructor, removeInstructor } from './courseRequests.ts';
import type { CoursePerson } from './courseTypes.ts';
import { PeopleTable } from './PeopleTable.tsx';

const route = getRouteApi('/inside/admins/console/courses/$courseId');

/** Lists the instructors who grade a course. */
export function InstructorsTab({ courseId }: { courseId: number }) {
  const { t } = useTranslation();
  const { page = 1 } = route.useSearch();
  const queryClient = useQueryClient();
  const instructors = useQuery(instructorsQuery(courseId, page));
  const [isAdding, setAdding] = useState(false);
  const [removed, setRemoved] = useState<CoursePerson>();
  const refresh = () => queryClient.invalidateQueries({ queryKey: [...courseKey(courseId), 'instructors'] });

  return (
    <Section
      id="instructors"
      title={t('Instructors')}
      action={
        <Button className="button" onPress={() => setAdding(true)}>
          {t('Add an instructor')}
        </Button>
      }
    >
      <PeopleTable
        label={t('Instructors')}
        people={instructors}
        empty={
          <EmptyState title={t('No instructors yet')}>
            <p>{t('Administrators can grade every course.')}</p>
          </EmptyState>
        }
        actions={(person) => (
          <RowButton
            text={t('Remove')}
            label={t('Remove {name}', { name: person.name })}
            onPress={() => setRemoved(person)}
          />
        )}
      />
      {isAdding && (
        <AddInstructorDialog courseId={courseId} onChanged={refresh} onClose={() => setAdding(false)} />
      )}
      {removed && (
        <ConfirmDialog
          title={t('Remove {name} from the course?', { name: removed.name })}
          action={t('Remove')}
          onConfirm={() => removeInstructor({ courseId, userId: removed.id }).then(refresh)}
          onClose={() => setRemoved(undefined)}
        >
          <p>{t('This instructor can no longer see the course. Grades are kept.')}</p>
        </ConfirmDialog>
      )}
    </Section>
  );
}

interface AddProps {
  courseId: number;
  onChanged(): Promise<void>;
  onClose(): void;
}

function AddInstructorDialog({ courseId, onChanged, onClose }: AddProps) {
  const { t } = useTranslation();
  const [userId, setUserId] = useState<number>();
  const save =
    userId === undefined ? undefined : () => assignInstructor({ courseId, userId }).then(onChanged);
  const { dialog } = useDialogForm(save, onClose);
  return (
    <FormDialog title={t('Add an instructor')} action={t('Add')} {...dialog}>
      <PersonPicker label={t('Instructor')} only="instructor" onChoose={(person) => setUserId(person?.id)} />
    </FormDialog>
  );
}
