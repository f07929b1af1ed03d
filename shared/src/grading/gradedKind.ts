import type { z } from 'zod';
import type { AuditAction, AuditObjectType } from '../audit/auditEntry.ts';
import type { AppError } from '../errors/appError.ts';
import type { CloudEvent } from '../events/cloudEvent.ts';
import type { ItemService } from '../items/itemEvents.ts';
import type { WorkState } from '../items/submittedWork.ts';
import type { ItemVisibility } from '../items/visibility.ts';
import type { GradableSubmission } from './gradableRepository.ts';
import type { GradeRule } from './gradeResult.ts';
import type { GradingTables } from './gradingTables.ts';
import type { QueueRow } from './queueRow.ts';

/** A graded submission, as its event describes it. */
interface GradedSubmission extends ItemVisibility {
  id: number;
  itemId: number;
  courseId: number;
  studentId: number;
  submittedAt: Date;
  /** The title of the item. */
  title: string;
  grade: number;
  totalGrade: number;
  comment: string | null;
  gradedBy: number;
  gradedAt: Date;
  revision: number;
}

/** A submission whose grading was undone, as its event describes it. */
type UngradedSubmission = Pick<GradedSubmission, 'id' | 'itemId' | 'courseId' | 'studentId' | 'revision'>;

/** A submission, as the event about its lateness describes it. */
export type TimedSubmission = Pick<GradedSubmission, 'id' | 'itemId' | 'courseId' | 'studentId'> & WorkState;

/** How grading differs between quiz and homework. */
export interface GradedKind {
  /** Its name in paths. */
  name: 'quizzes' | 'homeworks';
  /** The service that publishes its events. */
  service: ItemService;
  tables: GradingTables;
  rule: GradeRule;
  /** The total of every grade and the maximum of every rubric, if it is fixed. */
  fixedTotal: number | undefined;
  /** The schemas of a grade without a rubric. `totalGrade` is absent if it is fixed. */
  gradeFields: { grade: z.ZodType<number>; totalGrade?: z.ZodType<number> };
  /** How the specification's endpoints differ. */
  specification: {
    /** 404 for an unknown submission. */
    notFound(): AppError;
    /** The properties of a grade in the audit log. */
    auditedGrade(grade: Pick<GradableSubmission, 'grade' | 'totalGrade'>): Record<string, number | null>;
  };
  audit: {
    action: AuditAction;
    undone: AuditAction;
    submission: AuditObjectType;
    item: AuditObjectType;
    allowance: AuditObjectType;
    question: AuditObjectType;
  };
  gradedEvent(submission: GradedSubmission): CloudEvent;
  ungradedEvent(submission: UngradedSubmission): CloudEvent;
  latenessEvent(submission: TimedSubmission): CloudEvent;
  /** The objects of `flags` in a row of the queue. */
  flagsOf(row: QueueRow): object[];
}
