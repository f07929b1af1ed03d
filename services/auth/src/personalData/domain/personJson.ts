/** A record of one kind, as JSON. */
export interface JsonRecord {
  kind: string;
  json: string;
}

export interface RecordSource {
  service: string;
  records: AsyncIterable<JsonRecord>;
}

/**
 * Writes `person.json`: an object with one member per service, each with a list per kind of record. It is written while
 * the records are read, so that memory does not grow with their number.
 */
export async function* personJson(sources: RecordSource[]): AsyncGenerator<string> {
  yield '{';
  for (const [index, { service, records }] of sources.entries()) {
    yield `${index === 0 ? '' : ','}\n${JSON.stringify(service)}: {`;
    let kind: string | undefined;
    for await (const record of records) {
      if (record.kind === kind) yield `,\n    ${record.json}`;
      else yield `${kind === undefined ? '' : '],'}\n  ${JSON.stringify(record.kind)}: [\n    ${record.json}`;
      kind = record.kind;
    }
    yield kind === undefined ? '}' : ']}';
  }
  yield '\n}\n';
}
