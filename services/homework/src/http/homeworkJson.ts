import { KeptJson } from '@gradeway/shared/http/keptJson';
import type { JsonParts } from '@gradeway/shared/http/sendList';
import { type ListedHomework, type ListedRow, readSubmissions } from '../data/homeworkPages.ts';
import { type SerializerContext, serializeAssignment } from './serializers.ts';

/*
 * The objects of the homework list as JSON text. A page has hundreds of submissions: joining texts takes a third of the CPU
 * time of building objects and serializing them. serializers.ts has the same objects for all other answers.
 */

/** Returns a function that writes the HomeworkObject in lists, where a submission without files has no property `files`. */
export function createHomeworkJson(): (homework: ListedHomework, context: SerializerContext) => JsonParts {
  const kept = new KeptJson();
  return ({ submissions, ...homework }, context) => {
    const assignment = JSON.stringify(serializeAssignment(homework, context));
    // Both URLs have the same origin, and the time zone never changes.
    const { version } = context.fileUrl;
    const write = (texts: string) => submissionsJson(readSubmissions(texts), context);
    return [
      `${assignment.slice(0, -1)},"submissions":[`,
      kept.of(homework.id, submissions, version, write),
      ']}',
    ];
  };
}

function submissionsJson(rows: ListedRow[], context: SerializerContext): string {
  const submissions: string[] = [];
  for (let start = 0; start < rows.length; ) {
    let end = start + 1;
    while (rows[end]?.id === rows[start]?.id) end += 1;
    submissions.push(submissionJson(rows.slice(start, end), context));
    start = end;
  }
  return submissions.join();
}

/** The SubmissionObject of the specification, from the rows of one submission: one for each file. */
function submissionJson(rows: ListedRow[], { clock, fileUrl, downloadUrl }: SerializerContext): string {
  const [{ id, studentId, rating, submittedAt, commentJson, nameJson, emailJson, fileId }] = rows as [
    ListedRow,
  ];
  const submitted = clock.format(new Date(Number(submittedAt) * 1000));
  const fields = `"id":${id},"student_id":${studentId},"student_name":${nameJson || null},"student_email":${emailJson || null},"rating":${rating || null},"instructor_comment":${commentJson || null},"is_reviewed":${rating !== ''},"submitted_at":"${submitted}"`;
  if (fileId === '') return `{${fields},"download_url":null}`;
  // The characters of both URLs need no escape in JSON.
  const files = rows.map(
    (file) => `{"id":${file.fileId},"name":${file.fileNameJson},"url":"${fileUrl(file.fileId)}"}`,
  );
  return `{${fields},"files":[${files.join()}],"download_url":"${downloadUrl(id)}"}`;
}
