import type { Transaction } from 'sequelize';
import { inTransaction } from '../../database/connection.ts';
import { query } from '../../database/query.ts';
import { invalid } from '../../errors/appError.ts';
import type { GraderDependencies } from '../../grading/dependencies.ts';
import type { Detail } from '../../grading/detailRepository.ts';
import type { GivenPage } from './pagesSchema.ts';
import { placePages } from './placePages.ts';
import { serializePages } from './serializePages.ts';

type Dependencies = Pick<
  GraderDependencies,
  'sequelize' | 'kind' | 'details' | 'pages' | 'audit' | 'answerWriter'
>;

const save = `
  UPDATE answers a SET pages = given.pages
  FROM jsonb_to_recordset($2::jsonb) AS given ("questionId" integer, pages jsonb)
  WHERE a.submission_id = $1 AND a.question_id = given."questionId" AND a.pages <> given.pages`;

/**
 * Stores the pages of a submission's answers. Returns the answers with their pages. The pages belong to the files that
 * they were checked against: after an earlier upload the check is repeated, and a later upload clears them.
 * @param requireAllowed throws if the caller may not change the pages of the locked submission
 * @throws AppError `invalid` for a question, file or page that the submission does not have
 */
export async function changePages(
  dependencies: Dependencies,
  seen: Detail,
  given: GivenPage[],
  userId: number,
  requireAllowed: (present: Detail) => void,
): Promise<Detail['answers']> {
  const { sequelize, answerWriter, details, pages } = dependencies;
  // Measuring files can take long, so it is not done in the transaction.
  const measured = new Map((await pages.measured(seen.files, userId)).map((file) => [file.id, file.sizes]));
  return inTransaction(sequelize, async (transaction) => {
    await answerWriter.lockSubmissions([seen.id], transaction);
    const present = await details.find(seen.id, userId, transaction);
    if (!present) throw dependencies.kind.specification.notFound();
    const files = present.files.map(({ id }) => ({ id, sizes: measured.get(id) ?? [] }));
    const { pagesOf, errors } = placePages(given, present.answers, files);
    if (errors.length > 0) throw invalid({ pages: errors });
    requireAllowed(present);
    const after = present.answers.map((answer) => ({
      ...answer,
      pages: pagesOf.get(answer.questionId) ?? [],
    }));
    const rows = after.map(({ questionId, pages: places }) => ({ questionId, pages: places }));
    await query(sequelize, { sql: save, values: [seen.id, JSON.stringify(rows)], transaction });
    await record(dependencies, present, after, transaction);
    return after;
  });
}

async function record(
  { kind, audit }: Dependencies,
  before: Detail,
  after: Detail['answers'],
  transaction: Transaction,
): Promise<void> {
  const changes = {
    pages: [serializePages(before.answers), serializePages(after)] satisfies [unknown, unknown],
  };
  if (JSON.stringify(changes.pages[0]) === JSON.stringify(changes.pages[1])) return;
  const object = { type: kind.audit.submission, id: before.id };
  await audit.record({ action: 'pages.changed', object, changes }, transaction);
}
