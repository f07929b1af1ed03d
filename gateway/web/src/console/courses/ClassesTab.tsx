import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import type { GradingItem } from '../../shared/api/workTypes.ts';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { Section } from '../../shared/layout/Section.tsx';
import { PagedTable } from '../../shared/list/PagedTable.tsx';
import { RowButton } from '../../shared/list/RowButton.tsx';
import { EmptyState, explain } from '../../shared/ui/states.tsx';
import { ClassDialogs, type OpenClassDialog } from './ClassDialogs.tsx';
import { assignmentsQuery, classesQuery, courseKey } from './courseLists.ts';
import type { CourseClass } from './courseTypes.ts';

const route = getRouteApi('/inside/admins/console/courses/$courseId');

/** Lists the classes of a course with their homework. */
export function ClassesTab({ courseId }: { courseId: number }) {
  const { t } = useTranslation();
  const { page = 1 } = route.useSearch();
  const queryClient = useQueryClient();
  const classes = useQuery(classesQuery(courseId, page));
  const assignments = useQuery(assignmentsQuery(courseId));
  const [open, setOpen] = useState<OpenClassDialog>();
  const refresh = () => queryClient.invalidateQueries({ queryKey: courseKey(courseId) });

  return (
    <Section
      id="classes"
      title={t('Classes and homework')}
      action={
        <Button className="button" onPress={() => setOpen({ kind: 'new' })}>
          {t('New class')}
        </Button>
      }
    >
      {assignments.error && (
        <p className="notice" role="alert">
          {explain(assignments.error, t).title}. {t('The homework could not be loaded.')}
        </p>
      )}
      <PagedTable
        list={classes}
        empty={<EmptyState title={t('No classes yet')} />}
        label={t('Classes')}
        columns={[
          { name: t('Title'), cell: ({ title }) => <span className="written">{title}</span> },
          {
            name: t('Homework'),
            cell: ({ id }) => <Homework classId={id} assignments={assignments.data} />,
          },
        ]}
        actions={(each) => (
          <ClassActions each={each} assignment={assignments.data?.get(each.id)} onOpen={setOpen} />
        )}
      />
      <ClassDialogs courseId={courseId} open={open} onChanged={refresh} onClose={() => setOpen(undefined)} />
    </Section>
  );
}

function Homework({
  classId,
  assignments,
}: {
  classId: number;
  assignments: Map<number, GradingItem> | undefined;
}) {
  const { t, formatTime } = useTranslation();
  if (!assignments) return '…';
  const assignment = assignments.get(classId);
  if (!assignment) return <span className="quiet">{t('None')}</span>;
  const { closes_at, submissions } = assignment;
  return (
    <span className="stacked">
      <Link to="/grading/$kind/$itemId" params={{ kind: 'homeworks', itemId: classId }}>
        {t('{count, plural, =0 {Nothing handed in} one {# submission} other {# submissions}}', {
          count: submissions,
        })}
      </Link>
      <span className="quiet small">
        {closes_at ? t('Until {time}', { time: formatTime(closes_at) }) : t('No deadline')}
      </span>
    </span>
  );
}

interface ActionsProps {
  each: CourseClass;
  assignment: GradingItem | undefined;
  onOpen(dialog: OpenClassDialog): void;
}

function ClassActions({ each, assignment, onOpen }: ActionsProps) {
  const { t } = useTranslation();
  const { title } = each;
  const buttons = [
    assignment
      ? ([t('Edit homework'), t('Edit homework of {title}', { title }), 'homework'] as const)
      : ([t('Add homework'), t('Add homework to {title}', { title }), 'homework'] as const),
    [t('Rename'), t('Rename {title}', { title }), 'rename'],
    [t('Delete'), t('Delete {title}', { title }), 'delete'],
  ] as const;
  return buttons.map(([text, label, kind]) => (
    <RowButton key={kind} text={text} label={label} onPress={() => onOpen({ kind, each, assignment })} />
  ));
}
