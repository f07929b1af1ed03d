import type { FileUrls } from '@gradeway/shared/files/fileRoutes';
import type { ListedQuiz, ListedRow } from '../data/quizPages.ts';
import { deletedUser } from './serializers.ts';

/*
 * The objects of the quiz list as JSON text. A page has hundreds of submissions: joining texts takes a third of the CPU time
 * of building objects and serializing them. serializers.ts has the same objects for all other answers.
 */

/** The PDF quiz object of the specification. */
export function quizJson(quiz: ListedQuiz, urls: FileUrls): string {
  const { id, title, questionsFileId, questionsCount, totalGrade } = quiz;
  const url = questionsFileId === null ? null : urls(questionsFileId);
  const submissions = quiz.submissions.map((submission) => submissionJson(submission, urls));
  return `{"id":${id},"title":${JSON.stringify(title)},"questions_pdf_url":${JSON.stringify(url)},"questions_count_of_quiz_pdf":${questionsCount},"total_grade_for_quiz_pdf":${totalGrade},"submissions":[${submissions.join()}]}`;
}

const deletedUserJson = JSON.stringify(deletedUser);

/** The quiz submission object of the specification. */
function submissionJson({ id, fileId, grade, totalGrade, nameJson }: ListedRow, urls: FileUrls): string {
  // The characters of a URL of a file need no escape in JSON.
  const url = fileId === '' ? 'null' : `"${urls(fileId)}"`;
  const grades =
    grade === ''
      ? '"grade":null,"total_grade":null,"is_marked":0'
      : `"grade":${Number(grade)},"total_grade":${Number(totalGrade)},"is_marked":1`;
  return `{"id":${id},"student_name":${nameJson || deletedUserJson},${grades},"pdf_answer_url":${url}}`;
}
