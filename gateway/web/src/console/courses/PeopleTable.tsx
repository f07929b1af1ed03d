import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { DataTable } from '../list/DataTable.tsx';
import type { CoursePerson } from './courseTypes.ts';

interface Props {
  label: string;
  people: CoursePerson[];
  actions(person: CoursePerson): ReactNode;
}

/** Lists people of a course, with links to their accounts. */
export function PeopleTable({ label, people, actions }: Props) {
  const { t } = useTranslation();
  return (
    <DataTable
      label={label}
      rows={people}
      keyOf={({ id }) => id}
      columns={[
        {
          name: t('Name'),
          cell: ({ id, name }) => (
            <Link to="/console/users/$userId" params={{ userId: id }} className="written">
              {name || t('Unnamed')}
            </Link>
          ),
        },
        { name: t('Email'), cell: ({ email }) => <span className="written">{email || '–'}</span> },
      ]}
      actionsName={t('Actions')}
      actions={actions}
    />
  );
}
