/**
 * Reads the statements from the bytes that a client sends to Postgres. Returns a function that takes the chunks of one connection.
 *
 * A message from the client has a type (except the first one), a length and a body. Query and Parse contain the
 * statement; a prepared statement is parsed once under a name, and each Bind refers to that name.
 */
export function readStatements(onStatement: (sql: string) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  let started = false;
  const prepared = new Map<string, string>();
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const header = started ? 1 : 0;
      if (rest.length < header + 4) return;
      const end = header + rest.readUInt32BE(header);
      if (rest.length < end) return;
      const type = started ? String.fromCharCode(rest[0] ?? 0) : '';
      const words = rest
        .subarray(header + 4, end)
        .toString()
        .split('\0');
      if (type === 'Q') onStatement(words[0] ?? '');
      if (type === 'P') prepared.set(words[0] ?? '', words[1] ?? '');
      if (type === 'B') onStatement(prepared.get(words[1] ?? '') ?? '');
      rest = rest.subarray(end);
      started = true;
    }
  };
}
