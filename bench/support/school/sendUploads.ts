import { sendUpload } from './sendUpload.ts';
import type { School } from './startSchool.ts';

const atOnce = 4;

/** Every student hands in the school's PDF for each quiz. Returns the number of uploads. @throws Error when one is refused */
export async function sendUploads(school: School, quizzes: number[]): Promise<number> {
  const pending = quizzes.flatMap((quizId) => school.students.map((student) => ({ student, quizId })));
  const { length } = pending;
  const client = async () => {
    for (let next = pending.pop(); next; next = pending.pop()) {
      const { status, body } = await sendUpload(school, next);
      if (status !== 200) throw new Error(`an upload returned ${status}: ${body}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, client));
  return length;
}
