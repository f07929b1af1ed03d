import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import type { GradingItem } from '../../shared/api/workTypes.ts';
import { ConfirmDialog } from '../../shared/form/ConfirmDialog.tsx';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { Section } from '../../shared/layout/Section.tsx';
import { PagedTable } from '../../shared/list/PagedTable.tsx';
import { RowButton } from '../../shared/list/RowButton.tsx';
import { Time } from '../../shared/time/Time.tsx';
import { EmptyState } from '../../shared/ui/states.tsx';
import { courseKey, quizzesQuery } from './courseLists.ts';
import { changeQuiz, createQuiz, deleteQuiz } from './courseRequests.ts';
import { QuizDialog } from './QuizDialog.tsx';
import { StoredItem } from './StoredItem.tsx';

const route = getRouteApi('/inside/admins/console/courses/$courseId');

export function QuizzesTab({ courseId }: { courseId: number }) {
  const { t, formatNumber } = useTranslation();
  const { page = 1 } = route.useSearch();
  const queryClient = useQueryClient();
  const quizzes = useQuery(quizzesQuery(courseId, page));
  const [open, setOpen] = useState<{ kind: 'new' } | { kind: 'edit' | 'delete'; quiz: GradingItem }>();
  const close = () => setOpen(undefined);
  const refreshAfter = async (work: Promise<unknown>) => {
    await work;
    await queryClient.invalidateQueries({ queryKey: [...courseKey(courseId), 'quizzes'] });
  };

  return (
    <Section
      id="quizzes"
      title={t('Quizzes')}
      action={
        <Button className="button" onPress={() => setOpen({ kind: 'new' })}>
          {t('New quiz')}
        </Button>
      }
    >
      <PagedTable
        list={quizzes}
        empty={<EmptyState title={t('No quizzes yet')} />}
        label={t('Quizzes')}
        columns={[
          {
            name: t('Title'),
            cell: ({ id, title }) => (
              <Link to="/grading/$kind/$itemId" params={{ kind: 'quizzes', itemId: id }} className="written">
                {title}
              </Link>
            ),
          },
          { name: t('Closes'), cell: ({ closes_at }) => (closes_at ? <Time at={closes_at} /> : '–') },
          {
            name: t('Out of'),
            isNumber: true,
            cell: ({ total_grade }) => (total_grade === null ? '–' : formatNumber(total_grade)),
          },
          { name: t('Handed in'), isNumber: true, cell: ({ submissions }) => formatNumber(submissions) },
        ]}
        actions={(quiz) => (
          <>
            <RowButton
              text={t('Edit')}
              label={t('Edit {title}', { title: quiz.title })}
              onPress={() => setOpen({ kind: 'edit', quiz })}
            />
            <RowButton
              text={t('Delete')}
              label={t('Delete {title}', { title: quiz.title })}
              onPress={() => setOpen({ kind: 'delete', quiz })}
            />
          </>
        )}
      />
      {open?.kind === 'new' && (
        <QuizDialog courseId={courseId} onSave={(form) => refreshAfter(createQuiz(form))} onClose={close} />
      )}
      {open?.kind === 'edit' && (
        <StoredItem kind="quizzes" item={open.quiz} title={t('Edit the quiz')} onClose={close}>
          {(stored) => (
            <QuizDialog
              courseId={courseId}
              quiz={stored}
              onSave={(form) => refreshAfter(changeQuiz(stored.id, form))}
              onClose={close}
            />
          )}
        </StoredItem>
      )}
      {open?.kind === 'delete' && (
        <ConfirmDialog
          title={t('Delete {title}?', { title: open.quiz.title })}
          action={t('Delete the quiz')}
          onConfirm={() => refreshAfter(deleteQuiz(open.quiz.id))}
          onClose={close}
        >
          <p>
            {t(
              '{count, plural, =0 {No one has handed in anything.} one {Graders no longer see # answer sheet.} other {Graders no longer see # answer sheets.}} Grades are kept. This cannot be undone.',
              { count: open.quiz.submissions },
            )}
          </p>
        </ConfirmDialog>
      )}
    </Section>
  );
}
