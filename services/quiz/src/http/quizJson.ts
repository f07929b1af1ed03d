import type { FileUrls } from '@gradeway/shared/files/fileRoutes';
import { KeptJson } from '@gradeway/shared/http/keptJson';
import type { JsonParts } from '@gradeway/shared/http/sendList';
import { type ListedQuiz, type ListedRow, readSubmissions } from '../data/quizPages.ts';
import { deletedUser } from './serializers.ts';

/*
 * The objects of the quiz list as JSON text. A page has hundreds of submissions: joining texts takes a third of the CPU time
 * of building objects and serializing them. serializers.ts has the same objects for all other answers.
 */

/** Returns a function that writes the PDF quiz object of the specification. */
export function createQuizJson(): (quiz: ListedQuiz, urls: FileUrls) => JsonParts {
  const kept = new KeptJson();
  return ({ id, title, questionsFileId, questionsCount, totalGrade, submissions }, urls) => {
    const url = questionsFileId === null ? null : urls(questionsFileId);
    const write = (texts: string) => submissionsJson(readSubmissions(texts), urls);
    return [
      `{"id":${id},"title":${JSON.stringify(title)},"questions_pdf_url":${JSON.stringify(url)},"questions_count_of_quiz_pdf":${questionsCount},"total_grade_for_quiz_pdf":${totalGrade},"submissions":[`,
      kept.of(id, submissions, urls.version, write),
      ']}',
    ];
  };
}

const submissionsJson = (submissions: ListedRow[], urls: FileUrls): string =>
  submissions.map((submission) => submissionJson(submission, urls)).join();

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
