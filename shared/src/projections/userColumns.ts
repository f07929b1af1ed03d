/*
 * SQL for queries that join the user projection, as `people p` unless another alias is given. Name and email are null
 * for a deleted account and for one that has not been loaded yet.
 */

export const userNameOf = (alias: string): string => `
  CASE WHEN NOT ${alias}.is_deleted THEN concat_ws(' ', nullif(${alias}.first_name, ''), nullif(${alias}.last_name, '')) END`;

export const userName = userNameOf('p');

/** Whether the person is a service account; null if there is none. */
export const isServiceOf = (alias: string): string => `${alias}.is_service`;

/** Whether `people p` matches the search term in the parameter (D57). */
export const userMatches = (parameter: string): string =>
  `NOT p.is_deleted AND p.search_text LIKE (SELECT people_search_pattern(${parameter}))`;

export const userEmail = "CASE WHEN NOT p.is_deleted THEN nullif(p.email, '') END";
