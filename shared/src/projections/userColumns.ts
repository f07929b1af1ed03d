/*
 * SQL for queries that join the user projection as `people p`. Both are null for a deleted account and for one that is
 * not loaded yet.
 */

export const userName = `
  CASE WHEN NOT p.is_deleted THEN concat_ws(' ', nullif(p.first_name, ''), nullif(p.last_name, '')) END`;

export const userEmail = "CASE WHEN NOT p.is_deleted THEN nullif(p.email, '') END";
