import { z } from 'zod';
import { integer, nullable, recordId, requiredMessage, string } from '../http/validation.ts';
import { zonedTime } from '../http/zonedTime.ts';
import type { Allowance } from './personalTimes.ts';

const maxExtraMinutes = 10_080;
const maxNoteLength = 1_000;
const maxStudents = 500;

/** An allowance in a request. */
export interface GivenAllowance extends Allowance {
  studentId: number;
  note: string | null;
}

const fields = {
  closes_at: nullable(zonedTime()),
  extra_minutes: integer(0, maxExtraMinutes).default(0),
  excused: z.boolean().default(false),
  note: nullable(string(maxNoteLength)),
};

type Fields = z.output<z.ZodObject<typeof fields>>;

const toAllowance = ({ closes_at, extra_minutes, excused, note }: Fields) => ({
  closesAt: closes_at ?? null,
  extraMinutes: extra_minutes,
  excused,
  note: note ?? null,
});

/** The allowance of the student in the path, which replaces an earlier one: an absent field grants nothing. */
export const allowanceSchema = z.object(fields).transform(toAllowance);

/** The allowances of several students. */
export const allowancesSchema = z
  .object({
    students: z
      .array(
        z
          .object({ student_id: recordId(), ...fields })
          .transform(({ student_id, ...given }) => ({ studentId: student_id, ...toAllowance(given) })),
        {
          error: ({ input }) =>
            input === undefined ? requiredMessage('students') : 'The students must be a list.',
        },
      )
      .min(1, { error: 'The students must be at least 1.' })
      .max(maxStudents, { error: `The students may not be more than ${maxStudents}.` })
      .refine((students) => new Set(students.map(({ studentId }) => studentId)).size === students.length, {
        error: 'The students must be different.',
      }),
  })
  .transform(({ students }): GivenAllowance[] => students);
