import type { ListReads } from '@gradeway/shared/database/listReads';
import { pageOfIds, pageValues } from '@gradeway/shared/database/pageOfIds';
import { readJsonString, readNumber, readTextRows, textRows } from '@gradeway/shared/database/textRows';
import type { Page } from '@gradeway/shared/http/pagination';
import { userEmail, userName } from '@gradeway/shared/projections/userColumns';
import type { AssignedClass } from '../domain/homework.ts';
import type { ShownSubmission } from './submissionQueries.ts';

/** A class with its homework in the administrators' list. */
interface ListedHomework extends AssignedClass {
  submissions: ShownSubmission[];
}

interface Row extends Omit<AssignedClass, 'id'> {
  /** Null on a page without classes, whose only row contains the total. */
  id: number | null;
  total: number;
  /** {@link textRows}: one row for each file of a submission, and one row for a submission without files. */
  submissions: string;
}

const columns = [
  'id',
  'student_id',
  'rating',
  'extract(epoch FROM submitted_at)',
  'to_json(comment)',
  'file_id',
  'to_json(file_name)',
  'name',
  'email',
];

// Submissions are read in the order of an index (submissions_in_order). Everything else is looked up by id regardless of the
// planner's estimates, because the planner cannot know the size of a page.
const submissions = `
  SELECT ${textRows(columns)} FROM (
    SELECT s.id, s.student_id, s.rating, s.submitted_at, s.comment, f.id AS file_id, f.name AS file_name, p.name, p.email
    FROM submissions s
    LEFT JOIN LATERAL (
      SELECT f.id, f.name FROM submission_files sf JOIN files f ON f.id = sf.file_id
      WHERE sf.submission_id = s.id AND sf.replaced_at IS NULL ORDER BY f.id OFFSET 0
    ) AS f ON true
    LEFT JOIN LATERAL (
      SELECT to_json(${userName}) AS name, to_json(${userEmail}) AS email
      FROM people p WHERE p.user_id = s.student_id OFFSET 0
    ) AS p ON true
    WHERE s.class_id = c.class_id ORDER BY s.submitted_at, s.id, f.id
  ) AS s`;

function pageOf(filter: string, totalFilter: string): { fromStart: string; fromEnd: string } {
  const total = `SELECT coalesce(sum(total), 0)::integer FROM homework_totals ${totalFilter}`;
  const ids = pageOfIds({
    from: `classes WHERE is_listed ${filter}`,
    id: 'class_id',
    order: ['created_at', 'class_id'],
    total,
  });
  const pageWith = (page: string) => `
    SELECT t.total, h.* FROM (SELECT (${total}) AS total) AS t LEFT JOIN (
      SELECT c.class_id AS id, c.title, c.course_id AS "courseId", c.created_at AS "createdAt",
        CASE WHEN NOT o.is_deleted THEN o.title END AS "courseTitle",
        a.deadline AS "closesAt", a.description, a.file_id AS "fileId", (${submissions}) AS submissions
      FROM classes c JOIN assignments a USING (class_id) LEFT JOIN courses o USING (course_id)
      WHERE c.class_id = ANY (ARRAY(${page}))
    ) AS h ON true
    ORDER BY h."createdAt" DESC, h.id DESC`;
  return { fromStart: pageWith(ids.fromStart), fromEnd: pageWith(ids.fromEnd) };
}

const all = pageOf('', '');
const ofCourse = pageOf('AND course_id = $3', 'WHERE course_id = $3');
const ofCourses = pageOf('AND course_id = ANY($3::integer[])', 'WHERE course_id = ANY($3::integer[])');

/** Pages of homework, newest class first, with their submissions, oldest first. A page takes one query. */
export class HomeworkPages {
  readonly #lists: ListReads;
  // Used only to decide which end of the list to read a page from.
  #lastTotal = 0;

  constructor(lists: ListReads) {
    this.#lists = lists;
  }

  /** One page of all homework, or of the classes of these courses. */
  async page(page: Page, courseIds?: number[]): Promise<{ homeworks: ListedHomework[]; total: number }> {
    const [name, sql, values] = this.#queryFor(page, courseIds);
    const rows = await this.#lists.read((select) => select<Row>({ name, sql, values }));
    const homeworks = rows.flatMap(({ id, total: _, submissions, ...homework }) =>
      id === null ? [] : [{ ...homework, id, submissions: readSubmissions(submissions) }],
    );
    const total = rows[0]?.total ?? 0;
    if (!courseIds) this.#lastTotal = total;
    return { homeworks, total };
  }

  #queryFor(page: Page, courseIds?: number[]): [name: string, sql: string, values: unknown[]] {
    const values = pageValues(page);
    // The lists of courses are short. A list for a single course is read in the order of an index.
    if (courseIds?.length === 1)
      return ['homework of a course', ofCourse.fromStart, [...values, courseIds[0]]];
    if (courseIds) return ['homework of courses', ofCourses.fromStart, [...values, courseIds]];
    const isNearEnd = values[1] > this.#lastTotal / 2;
    return isNearEnd
      ? ['page of homework from the end', all.fromEnd, values]
      : ['page of homework', all.fromStart, values];
  }
}

function readSubmissions(texts: string): ShownSubmission[] {
  const submissions = new Map<number, ShownSubmission>();
  for (const row of readTextRows(texts)) {
    const [id, studentId, rating, submittedAt, comment, fileId, fileName, name, email] = row;
    const submission = submissions.get(Number(id)) ?? {
      id: Number(id),
      studentId: Number(studentId),
      studentName: readJsonString(name),
      studentEmail: readJsonString(email),
      rating: readNumber(rating),
      comment: readJsonString(comment),
      submittedAt: new Date(Number(submittedAt) * 1000),
      files: [],
    };
    submissions.set(submission.id, submission);
    if (fileId) submission.files.push({ id: Number(fileId), name: readJsonString(fileName) ?? '' });
  }
  return [...submissions.values()];
}
