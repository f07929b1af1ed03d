import { read, send } from './gateway.ts';
import type { School } from './school.ts';
import type { Settings } from './settings.ts';

interface ListedQuiz {
  id: number;
  submissions: { id: number }[];
}

/** Reads the first page of the list. Returns a submission in this test's school, never a real student's. */
export function findSubmission(settings: Settings, { groups }: School, token: string): number | undefined {
  const answer = send(settings, { request: 'list', token });
  if (answer.status !== 200) return undefined;
  const own = new Set(groups.flatMap(({ quizIds }) => quizIds));
  const quizzes = read<{ data: ListedQuiz[] }>(answer).data.filter(({ id }) => own.has(id));
  const submissions = quizzes.flatMap((quiz) => quiz.submissions);
  return submissions[Math.floor(Math.random() * submissions.length)]?.id;
}

export function grade(settings: Settings, token: string, submissionId: number): void {
  const body = { grade: Math.ceil(Math.random() * 10), total_grade: 10 };
  send(settings, { request: 'grading', ids: [submissionId], token, body });
}
