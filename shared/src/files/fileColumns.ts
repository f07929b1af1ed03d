/** Columns of a `LibraryFile`, for queries that read or join the table as `files f`. */
export const fileColumns = 'f.id, f.key, f.name, f.size::float8 AS size, f.sha256, f.crc32::float8 AS crc32';
