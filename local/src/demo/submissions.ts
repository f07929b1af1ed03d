import { makePdf } from '../demoPdf.ts';
import type { Account } from './accounts.ts';
import { groupAnswers, groupProof, mapProof, ringAnswers, typed } from './answers.ts';
import type { Items } from './courses.ts';
import { forEachConcurrently } from './forEachConcurrently.ts';
import { students } from './people.ts';
import { type ScannedPage, scannedPdf } from './scannedPdf.ts';
import { daysFromNow, type Upload, uploadForm } from './uploadForm.ts';

interface Submission {
  item: 'groups' | 'rings' | 'proofs' | 'maps';
  /** Number of the student. */
  number: number;
}

const numbers = students.map((_, number) => number);
const by = (item: Submission['item'], who: number[]) => who.map((number): Submission => ({ item, number }));

/**
 * Thirty submissions, most of them scans. The first two students can still take the open quiz and submit the open
 * homework.
 */
const submissions = [
  ...by('groups', numbers),
  ...by('rings', numbers.slice(5, 9)),
  ...by('proofs', numbers.slice(2, 8)),
  ...by('maps', numbers.slice(0, 6)),
];

export const submissionCount = submissions.length;

/** Submits everything, a few at a time, as on the evening of a deadline. */
export const handInAll = (items: Items, accounts: readonly Account[], onDone: () => void): Promise<void> =>
  forEachConcurrently(3, submissions, async ({ item, number }) => {
    const student = accounts[number];
    if (!student) throw new Error(`there is no student ${number}`);
    await handIn[item](items, student, number);
    onDone();
  });

const handIn = {
  groups: (items: Items, student: Account, number: number) =>
    takeQuiz(items, items.groups, student, { pages: groupAnswers(number), number }),
  rings: (items: Items, student: Account, number: number) =>
    takeQuiz(items, items.rings, student, { pages: ringAnswers(number), number: number + 20 }),
  proofs: (items: Items, student: Account, number: number) =>
    doHomework(items.proofs, student, { pages: groupProof(number), number: number + 100 }),
  maps: (items: Items, student: Account, number: number) =>
    doHomework(items.maps, student, { pages: mapProof(number), number: number + 205 }),
};

interface Work {
  pages: ScannedPage[];
  /** Determines the look of the paper, whether the student types, and whether the submission is flagged. */
  number: number;
}

const minutes = 1 / (24 * 60);

/** Some students open the questions later than they state, which flags their submission. */
async function takeQuiz(items: Items, quizId: number, { client, login }: Account, work: Work): Promise<void> {
  if (work.number % 5 === 3) await openQuestions(quizId, client);
  const file = await write(work, `${login}-answers.pdf`);
  const attempt = {
    course_id: String(items.algebra),
    quiz_id: String(quizId),
    duration: '45',
    start_at: daysFromNow(-(12 + work.number) * minutes),
  };
  await client.call('POST', '/api/v3/quiz/submit-pdf', uploadForm('file', [file], attempt));
}

async function openQuestions(quizId: number, client: Account['client']): Promise<void> {
  type Quizzes = { data: { id: number; questions_pdf_url: string | null }[] };
  const { data } = await client.call<Quizzes>('GET', '/api/v3/quiz/available?per_page=100');
  const url = data.find(({ id }) => id === quizId)?.questions_pdf_url;
  if (url) await client.open(url);
}

/** Some students upload each page as a separate file. */
async function doHomework(classId: number, { client, login }: Account, work: Work): Promise<void> {
  const { pages, number } = work;
  const name = number % 3 === 2 ? 'الواجب' : `${login}-homework`;
  const files =
    number % 4 === 0
      ? await Promise.all(
          pages.map((page, index) => write({ pages: [page], number }, `${name} ${index + 1}.pdf`)),
        )
      : [await write(work, `${name}.pdf`)];
  await client.call('POST', `/api/v3/homeworks/${classId}/submissions`, uploadForm('files', files));
}

async function write({ pages, number }: Work, name: string): Promise<Upload> {
  const isTyped = number % 4 === 2;
  const content = isTyped
    ? await makePdf('Answers', { lines: typed(pages) })
    : await scannedPdf(pages, number);
  return { name, content };
}
