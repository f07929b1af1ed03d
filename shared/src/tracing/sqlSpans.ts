import { type Span, SpanKind } from '@opentelemetry/api';
import {
  ATTR_DB_COLLECTION_NAME,
  ATTR_DB_NAMESPACE,
  ATTR_DB_OPERATION_NAME,
  ATTR_DB_RESPONSE_STATUS_CODE,
  ATTR_DB_SYSTEM_NAME,
  ATTR_SERVER_ADDRESS,
  ATTR_SERVER_PORT,
  DB_SYSTEM_NAME_VALUE_POSTGRESQL,
} from '@opentelemetry/semantic-conventions';
import type { Client } from 'pg';
import type { Sequelize } from 'sequelize';
import { activeSpan, errorTypeOf, failSpan, tracer } from './span.ts';

type Query = (...parameters: unknown[]) => unknown;

/**
 * Creates a span for each query of a traced operation, with the SQL operation and the table. Omits the statement and
 * error messages, because they can contain values.
 */
export function traceQueries(sequelize: Sequelize): void {
  sequelize.addHook('afterConnect', (connection) => traceConnection(connection as Client));
}

// Wraps the connection, because Sequelize and prepared statements (database/query.ts) both use it.
function traceConnection(client: Client): void {
  const query = client.query.bind(client) as Query;
  const traced: Query = (...parameters) => {
    if (!activeSpan()) return query(...parameters);
    const span = startQuery(client, parameters[0]);
    const done = parameters.at(-1);
    if (typeof done === 'function') {
      const settle = (error: unknown, result: unknown) => {
        endQuery(span, error);
        done(error, result);
      };
      return query(...parameters.slice(0, -1), settle);
    }
    const result = query(...parameters) as Promise<unknown>;
    result.then(
      () => endQuery(span, null),
      (error) => endQuery(span, error),
    );
    return result;
  };
  client.query = traced as Client['query'];
}

function startQuery(client: Client, query: unknown): Span {
  const text = typeof query === 'string' ? query : String((query as { text?: unknown }).text ?? '');
  const { operation, table } = summarize(text);
  return tracer.startSpan(table ? `${operation} ${table}` : operation, {
    kind: SpanKind.CLIENT,
    attributes: {
      [ATTR_DB_SYSTEM_NAME]: DB_SYSTEM_NAME_VALUE_POSTGRESQL,
      [ATTR_DB_NAMESPACE]: client.database,
      [ATTR_DB_OPERATION_NAME]: operation,
      [ATTR_DB_COLLECTION_NAME]: table,
      [ATTR_SERVER_ADDRESS]: client.host,
      [ATTR_SERVER_PORT]: client.port,
    },
  });
}

function endQuery(span: Span, error: unknown): void {
  if (error) {
    const errorType = errorTypeOf(error);
    // A SQLSTATE. The driver's own errors have other codes.
    if (/^[0-9A-Z]{5}$/.test(errorType)) span.setAttribute(ATTR_DB_RESPONSE_STATUS_CODE, errorType);
    failSpan(span, errorType);
  }
  span.end();
}

const firstWord = /^\s*([a-z]+)/i;
// The lookbehind skips the FROM of `extract(epoch FROM …)`.
const firstTable =
  /\b(?:(?<!extract\s*\(\s*\w+\s+)FROM|JOIN|INTO|UPDATE)\s+(?:"?[a-z_]+"?\.)?"?([a-z_]+)\b(?!\()/i;
const operationsWithoutTable = new Set([
  'START',
  'BEGIN',
  'COMMIT',
  'ROLLBACK',
  'SET',
  'SAVEPOINT',
  'RELEASE',
]);

/** Returns the operation and first table of a statement. In all statements of this code, tables precede values. */
export function summarize(statement: string): { operation: string; table?: string } {
  const operation = firstWord.exec(statement)?.[1]?.toUpperCase() ?? 'QUERY';
  if (operationsWithoutTable.has(operation)) return { operation };
  const table = firstTable.exec(statement)?.[1];
  return table ? { operation, table } : { operation };
}
