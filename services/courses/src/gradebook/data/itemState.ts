// Joins the current titles of an item or a grade. The class must belong to the course, because a grading event is
// accepted for any id.
const joinTitles = (alias: string): string => `
  LEFT JOIN quiz_titles q ON ${alias}.kind = 'quiz' AND q.quiz_id = ${alias}.item_id
  LEFT JOIN classes k ON ${alias}.kind = 'homework' AND k.id = ${alias}.item_id AND k.course_id = ${alias}.course_id`;

/** SQL for items `i` with their titles. */
export const itemsWithTitles = `gradebook_items i ${joinTitles('i')}`;

/** SQL for whether students see an item `i` that is published: an assignment is not shown before it opens. */
export const hasAppeared = "(i.kind = 'quiz' OR i.opens_at IS NULL OR i.opens_at <= now())";

/** SQL that joins the current state of its item to a grade `g`. */
export const joinItem = `
  LEFT JOIN gradebook_items i ON i.kind = g.kind AND i.item_id = g.item_id ${joinTitles('g')}`;

/** SQL for the current title of an item; null if it is unknown. Events of earlier versions have only a title. */
export const itemTitle =
  'coalesce(k.title, CASE WHEN q.revision > i.revision THEN q.title END, i.title, q.title)';

/**
 * SQL for the current title of a grade's item, or, until that has arrived, the title at the time of the grading.
 */
export const gradeTitle = `coalesce(${itemTitle}, g.title)`;

/**
 * SQL for whether a grade is hidden from its student: the state of the item decides, unless the grade was given in a newer
 * state that has not arrived. Grades of earlier versions are visible.
 */
export const isHidden = `
  CASE WHEN i.revision >= coalesce(g.item_revision, 0) THEN i.released_at IS NULL
    ELSE g.item_revision IS NOT NULL AND g.visible_from IS NULL END`;

/**
 * SQL for whether the student of a grade is hidden from graders. A hidden grade of an unknown item could belong to an
 * anonymous one.
 */
export const isAnonymous = `coalesce(i.anonymous AND i.released_at IS NULL, ${isHidden})`;
