/**
 * SQL that inserts the messages of a query with the columns `user_id, key, kind, item_kind, item_id, submission_id, due,
 * useless_at`. The key of a message makes this idempotent, and mail_messages_one_of_grades combines gradings in quick
 * succession.
 */
export const insertMessages = (rows: string): string => `
  INSERT INTO mail_messages (user_id, key, kind, item_kind, item_id, submission_id, due_at, waiting_since, useless_at)
  SELECT user_id, key, kind, item_kind, item_id, submission_id, due, due, useless_at FROM (${rows}) AS new_messages
  WHERE user_id NOT IN (SELECT user_id FROM erased_people)
  ORDER BY user_id, key
  ON CONFLICT DO NOTHING
  RETURNING id`;
