import { query } from '@gradeway/shared/database/query';
import type { PersonalRecord } from '@gradeway/shared/personalData/personalDataService';
import type { Sequelize } from 'sequelize';
import { gradeTitle, joinItem } from '../../gradebook/data/itemState.ts';

const queries: [kind: string, sql: string][] = [
  [
    'name',
    'SELECT user_id, first_name, last_name, email, mobile FROM people WHERE user_id = $1 AND NOT is_deleted',
  ],
  [
    'enrollments',
    `SELECT r.course_id, c.title AS course_title, r.is_enrolled, r.paid
     FROM roster r LEFT JOIN courses c ON c.id = r.course_id
     WHERE r.user_id = $1 AND r.revision > 0 ORDER BY r.course_id`,
  ],
  [
    'enrollment_sources',
    'SELECT sourced_id, course_id, is_teaching FROM enrollment_sources WHERE user_id = $1 ORDER BY sourced_id',
  ],
  [
    'teaching',
    `SELECT i.course_id, c.title AS course_title, i.role, i.is_assigned
     FROM instructors i JOIN courses c ON c.id = i.course_id
     WHERE i.user_id = $1 ORDER BY i.course_id`,
  ],
  [
    'accommodations',
    `SELECT a.course_id, c.title AS course_title, a.time_percent / 100.0::float8 AS time_factor, a.note, a.changed_at
     FROM accommodations a JOIN courses c ON c.id = a.course_id
     WHERE a.student_id = $1 ORDER BY a.course_id`,
  ],
  [
    'grading_comments',
    'SELECT id, text, course_id, uses, updated_at FROM grading_comments WHERE owner_id = $1 ORDER BY id',
  ],
  [
    'grades',
    `SELECT g.kind, g.submission_id, g.course_id, g.item_id, ${gradeTitle} AS title, g.grade::float8 AS grade,
       g.total_grade::float8 AS total_grade, g.graded_at
     FROM grades g ${joinItem}
     WHERE g.student_id = $1 AND g.grade IS NOT NULL ORDER BY g.graded_at, g.kind, g.submission_id`,
  ],
  [
    'gradebook_submissions',
    `SELECT kind, submission_id, course_id, item_id, submitted_at, late_waived
     FROM gradebook_submissions WHERE student_id = $1 ORDER BY kind, submission_id`,
  ],
  [
    'gradebook_allowances',
    `SELECT kind, item_id, closes_at, excused
     FROM gradebook_allowances WHERE student_id = $1 ORDER BY kind, item_id`,
  ],
  ['notifications', 'SELECT language, kinds FROM mail_preferences WHERE user_id = $1'],
  [
    'messages',
    `SELECT kind, item_kind, item_id, submission_id, status, created_at
     FROM mail_messages WHERE user_id = $1 ORDER BY id`,
  ],
  ['calendar', 'SELECT created_at FROM calendars WHERE owner_id = $1'],
  [
    'calendar_events',
    `SELECT kind, item_id, sequence, last_modified FROM calendar_events WHERE owner_id = $1 ORDER BY kind, item_id`,
  ],
  ['imports_started', 'SELECT id, state, created_at, committed_at FROM imports WHERE created_by = $1'],
];

/** Yields everything that courses stores about a person. One person's records fit into memory. */
export async function* personalRecords(sequelize: Sequelize, userId: number): AsyncGenerator<PersonalRecord> {
  for (const [kind, sql] of queries)
    for (const record of await query(sequelize, { sql, values: [userId] })) yield { kind, record };
}
