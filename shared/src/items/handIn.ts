import type { Transaction } from 'sequelize';
import { changesOf } from '../audit/changesOf.ts';
import type { IdempotencyKey } from '../database/idempotencyStore.ts';
import { query } from '../database/query.ts';
import { AppError, invalid } from '../errors/appError.ts';
import type { LibraryFile } from '../files/fileLibrary.ts';
import { requirePdfs } from '../files/pdfErrors.ts';
import type { Attestation } from '../files/receipts.ts';
import type { ReceivedFile } from '../files/receiveForm.ts';
import { withStoredFiles } from '../files/withStoredFiles.ts';
import { findErased } from '../personalData/erasedPeople.ts';
import type { SubmissionRoutes } from '../submissions/dependencies.ts';
import { anonymousItem, isAnonymousItem } from './anonymity.ts';
import type { ItemService } from './itemEvents.ts';

/** Work that staff hand in for a student. Without files it is graded from paper. */
export interface HandedInWork {
  itemId: number;
  courseId: number;
  studentId: number;
  submittedBy: number;
  receivedAt: Date;
  files: ReceivedFile[];
  /** Whether it may replace an ungraded submission. */
  replaces: boolean;
}

/** An existing submission of the student, which is locked. */
export interface ExistingSubmission {
  id: number;
  isGraded: boolean;
}

/** How a service stores handed-in work. */
export interface HandInTarget {
  service: ItemService;
  /** The form field of the files. */
  field: string;
  /**
   * Creates the student's only submission or replaces its files, with the same event as an upload. Returns its id.
   * @param requireReplaceable called with the existing submission, if there is one
   */
  save(
    work: HandedInWork,
    files: LibraryFile[],
    transaction: Transaction,
    requireReplaceable: (existing: ExistingSubmission) => void,
  ): Promise<number>;
}

/** The student has an ungraded submission, which the request does not replace. */
export class SubmissionExists extends Error {
  readonly id: number;

  constructor(id: number) {
    super('submission exists');
    this.id = id;
  }
}

export interface HandedIn {
  attestation: Attestation;
  isNew: boolean;
}

type Dependencies = Omit<SubmissionRoutes, 'log' | 'health'>;

/**
 * Hands in work for a student, regardless of the submission window. When it returns, files, submission, event, audit
 * entry and result are committed; when it throws, nothing is left behind.
 * @throws AppError `invalid` for a student who is not enrolled and for files that are not PDFs, `conflict` for a draft, for an
 * anonymous item and for a graded submission
 * @throws SubmissionExists
 */
export async function handIn(
  dependencies: Dependencies,
  target: HandInTarget,
  work: HandedInWork,
  key: IdempotencyKey | undefined,
): Promise<HandedIn> {
  const { courses, pdf, userProjection, grading, idempotency } = dependencies;
  const { itemId, courseId, studentId, submittedBy, files } = work;
  if ((await courses.enrolledUsers(courseId, [studentId])).length === 0) throw notEnrolled();
  await requirePdfs(pdf, target.field, files, submittedBy);
  await userProjection.ensureLoaded([studentId, submittedBy]);
  const personId = studentId;
  return withStoredFiles(dependencies, files, save, { personId });

  async function save(stored: LibraryFile[], transaction: Transaction): Promise<HandedIn> {
    if (await findErased(dependencies.sequelize, studentId, transaction)) throw notEnrolled();
    await requireOpenToStaff(dependencies, itemId, transaction);
    let isNew = true;
    const id = await target.save(work, stored, transaction, (existing) => {
      isNew = false;
      requireReplaceable(existing, work);
    });
    const object = { type: grading.kind.audit.submission, id };
    const changes = changesOf(
      null,
      { studentId, itemId, files: files.length, isReplacement: isNew ? null : true },
      ['studentId', 'itemId', 'files', 'isReplacement'],
    );
    await dependencies.audit.record({ action: 'submission.created', object, changes }, transaction);
    const result = { attestation: attest(target, id, work), isNew };
    await idempotency.recordResult(key, result, transaction);
    return result;
  }
}

// The same as for an unknown student, so that the error does not reveal which accounts exist.
const notEnrolled = () => invalid({ student_id: ['The selected student id is invalid.'] });

// The lock delays a change to the settings until the submission is committed.
async function requireOpenToStaff(
  { sequelize, grading }: Pick<Dependencies, 'sequelize' | 'grading'>,
  itemId: number,
  transaction: Transaction,
): Promise<void> {
  const { table, id } = grading.kind.tables.item;
  const sql = `
    SELECT i.published AS "isPublished", ${isAnonymousItem('i')} AS "isAnonymous"
    FROM ${table} i WHERE i.${id} = $1 FOR SHARE`;
  type Item = { isPublished: boolean; isAnonymous: boolean };
  const [item] = await query<Item>(sequelize, { sql, values: [itemId], transaction });
  if (!item?.isPublished) throw new AppError('conflict', 'Not published', { reason: 'not_published' });
  if (item.isAnonymous) throw anonymousItem();
}

function requireReplaceable({ id, isGraded }: ExistingSubmission, { replaces }: HandedInWork): void {
  if (isGraded) throw new AppError('conflict', 'Submission already graded', { reason: 'graded' });
  if (!replaces) throw new SubmissionExists(id);
}

const attest = ({ service }: HandInTarget, submissionId: number, work: HandedInWork): Attestation => ({
  kind: service,
  submissionId,
  studentId: work.studentId,
  files: work.files.map(({ sha256, size }) => ({ sha256, size })),
  receivedAt: work.receivedAt.toISOString(),
  deadline: null,
});
