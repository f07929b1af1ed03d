interface Size {
  items: number;
  /** Submissions of an item, with consecutive ids. */
  perItem: number;
  /** PDFs with annotations, and keys of erased files. */
  marked: number;
  /** The id of the first of those PDFs' files. */
  firstFile: number;
}

/**
 * The rows that graders leave in quiz and homework: rubrics, claims and annotated PDFs. Half of the claims have
 * expired.
 */
export const fillGrading = ({ items, perItem, marked, firstFile }: Size): string => `
  INSERT INTO rubrics (item_id, revision, is_deleted, max_points)
    SELECT n, 1, n % 2 = 0, 10 FROM generate_series(1, ${items}) n;
  INSERT INTO rubric_items (item_id, place, points, text)
    SELECT n, place, 2, 'Right' FROM generate_series(1, ${items}) n, generate_series(1, 5) place WHERE n % 2 = 1;
  INSERT INTO claims (submission_id, item_id, user_id, claimed_until)
    SELECT (n - 1) * ${perItem} + place, n, n, now() + CASE WHEN place <= 40 THEN -1 ELSE 1 END * interval '10 minutes'
    FROM generate_series(1, ${items}) n, generate_series(1, 80) place;
  INSERT INTO marked_pdfs (submission_id, fingerprint, source_ids, file_id)
    SELECT n * 10, md5(n::text), ARRAY[n * 10], ${firstFile} + n - 1 FROM generate_series(1, ${marked}) n;
  INSERT INTO erased_files (key, user_id) SELECT gen_random_uuid(), n % 1000 + 1 FROM generate_series(1, ${marked}) n;`;
