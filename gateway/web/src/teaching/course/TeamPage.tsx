import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { Section } from '../../shared/layout/Section.tsx';
import { PagedTable } from '../../shared/list/PagedTable.tsx';
import { RowButton } from '../../shared/list/RowButton.tsx';
import { EmptyState } from '../../shared/ui/states.tsx';
import { teamKey, teamQuery } from '../records/teachingQueries.ts';
import type { TeamMember } from '../records/teachingTypes.ts';
import { roleNames } from './roleNames.ts';
import { AddMemberDialog, RemoveMemberDialog, RoleDialog } from './TeamDialogs.tsx';

const route = getRouteApi('/inside/teachers/courses/$courseId/team');

/** Lists the teachers and graders of a course. */
export function TeamPage() {
  const { t } = useTranslation();
  const { courseId } = route.useParams();
  const { page = 1 } = route.useSearch();
  const queryClient = useQueryClient();
  const team = useQuery(teamQuery(courseId, page));
  const [open, setOpen] = useState<{ kind: 'add' } | { kind: 'role' | 'remove'; member: TeamMember }>();
  const close = () => setOpen(undefined);
  const refresh = async () => {
    // The user's own role may have changed.
    void queryClient.invalidateQueries({ queryKey: ['courses'] });
    await queryClient.invalidateQueries({ queryKey: teamKey(courseId) });
  };
  return (
    <Section
      id="team"
      title={t('Team')}
      about={
        <p className="quiet small">{t('Teachers run the course. Graders grade, and change nothing else.')}</p>
      }
      action={
        <Button className="button" onPress={() => setOpen({ kind: 'add' })}>
          {t('Add an instructor')}
        </Button>
      }
    >
      <PagedTable
        list={team}
        empty={<EmptyState title={t('No instructors yet')} />}
        label={t('Team')}
        columns={[
          {
            name: t('Name'),
            sortBy: ({ name }) => name,
            cell: ({ name }) => <span className="written">{name || t('Unnamed')}</span>,
          },
          {
            name: t('Email'),
            sortBy: ({ email }) => email,
            cell: ({ email }) => <span className="written">{email || '–'}</span>,
          },
          {
            name: t('Role'),
            sortBy: ({ role }) => t(roleNames[role]),
            cell: ({ role }) => (
              <span className={role === 'teacher' ? 'badge accent' : 'badge'}>{t(roleNames[role])}</span>
            ),
          },
        ]}
        actions={(member) => (
          <>
            <RowButton
              text={t('Change the role')}
              label={t('Change the role of {name}', { name: member.name })}
              onPress={() => setOpen({ kind: 'role', member })}
            />
            <RowButton
              text={t('Remove')}
              label={t('Remove {name}', { name: member.name })}
              onPress={() => setOpen({ kind: 'remove', member })}
            />
          </>
        )}
      />
      {open?.kind === 'add' && <AddMemberDialog courseId={courseId} onChanged={refresh} onClose={close} />}
      {open?.kind === 'role' && (
        <RoleDialog courseId={courseId} member={open.member} onChanged={refresh} onClose={close} />
      )}
      {open?.kind === 'remove' && (
        <RemoveMemberDialog courseId={courseId} member={open.member} onChanged={refresh} onClose={close} />
      )}
    </Section>
  );
}
