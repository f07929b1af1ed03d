import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import type { ListPage } from '../../shared/list/PagedList.tsx';
import { PagedTable } from '../../shared/list/PagedTable.tsx';
import type { CoursePerson } from './courseTypes.ts';

interface Props {
  label: string;
  people: UseQueryResult<ListPage<CoursePerson>>;
  /** Shown when there are none. */
  empty: ReactNode;
  actions(person: CoursePerson): ReactNode;
}

/** Lists people of a course, with links to their accounts. */
export function PeopleTable({ label, people, empty, actions }: Props) {
  const { t } = useTranslation();
  return (
    <PagedTable
      list={people}
      empty={empty}
      label={label}
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
      actions={actions}
    />
  );
}
