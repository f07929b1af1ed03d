import type { Client } from '../../clientTypes.ts';
import { GradewayError } from '../../http/gradewayError.ts';
import { Misuse, Refused } from '../failures.ts';
import type { Kind } from '../workItem.ts';

interface NewWork {
  course: number;
  title: string;
  kind: Kind;
  class?: number;
  file?: string;
  opensAt?: string;
  closesAt?: string;
  duration?: number;
  publish?: boolean;
}

/** Creates a quiz, or the homework of a class, after creating the class unless one is given. */
export async function createWork(client: Client, work: NewWork): Promise<{ id: number; title: string }> {
  const { course, title, kind, file, opensAt, closesAt, duration, publish } = work;
  if (kind === 'homeworks' && duration !== undefined) throw new Misuse('Only a quiz has a --duration.');
  if (kind === 'quizzes' && work.class !== undefined) throw new Misuse('Only homework has a --class.');
  if (Number.isNaN(duration)) throw new Misuse('--duration is a number of minutes.');
  const settings = {
    ...(opensAt && { opens_at: opensAt }),
    ...(closesAt && { closes_at: closesAt }),
    ...(publish && { published: true as const }),
    ...(file && { file: { path: file, type: 'application/pdf' } }),
  };
  if (kind === 'quizzes') {
    const body = { course_id: course, title, ...(duration && { duration_minutes: duration }), ...settings };
    return (await client.createQuizAsTeacher({ body })).data;
  }
  if (work.class !== undefined && (await hasHomework(client, work.class)))
    throw new Refused(`Class ${work.class} has homework already.`);
  const class_id =
    work.class ?? (await client.createClassAsTeacher({ course_id: course, body: { title } })).data.id;
  return (await client.setAssignmentAsTeacher({ class_id, body: settings })).data;
}

async function hasHomework(client: Client, item_id: number): Promise<boolean> {
  try {
    await client.readGradingItem({ kind: 'homeworks', item_id });
    return true;
  } catch (error) {
    if (error instanceof GradewayError && error.status === 404) return false;
    throw error;
  }
}
