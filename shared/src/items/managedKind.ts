import type { z } from 'zod';
import type { ReceivedFile } from '../files/receiveForm.ts';
import type { ReceivePdfs } from '../submissions/dependencies.ts';

/** The PDF of an item, if there is one, and the person who uploads it. */
export interface ItemUpload {
  files: ReceivedFile[];
  userId: number;
}

/** How managing quizzes differs from managing assignments. */
export interface ManagedKind<Changes, Target> {
  /** Reads a form with at most one PDF, in the field `file`. */
  receiveForm: ReceivePdfs;
  changesSchema: z.ZodType<Changes>;
  /** The body of a copy. */
  targetSchema: z.ZodType<Target>;
  /** The field that names the course or class that an item is copied to. */
  targetField: 'course_id' | 'class_id';
  /** Finds the course that this field names; undefined if there is none. */
  targetCourse(id: number): Promise<number | undefined>;
  /** @throws ChangedMeanwhile when the item is not in one of the expected states */
  change(itemId: number, changes: Changes, upload: ItemUpload, expected: string[] | 'any'): Promise<unknown>;
  remove(itemId: number): Promise<unknown>;
  /** Copies an item as a draft. Returns the id of the copy. */
  copy(itemId: number, target: Target, userId: number): Promise<number>;
}
