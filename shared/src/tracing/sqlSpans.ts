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
import { activeSpan, failSpan, kindOfError, tracer } from './span.ts';

type Query = (...parameters: unknown[]) => unknown;

/**
 * A span for each query that is made for something traced. It names what is done and to which table; neither the
 * statement, into which Sequelize writes values, nor the sentence of an error, which may quote them.
 */
export function traceQueries(sequelize: Sequelize): void {
  sequelize.addHook('afterConnect', (connection) => traceConnection(connection as Client));
}

// On the connection itself, where Sequelize's queries and our prepared ones both pass.
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

function startQuery(client: Client, given: unknown): Span {
  const text = typeof given === 'string' ? given : String((given as { text?: unknown }).text ?? '');
  const { operation, table } = shapeOf(text);
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
    const kind = kindOfError(error);
    // SQLSTATE; what the driver itself reports has other codes.
    if (/^[0-9A-Z]{5}$/.test(kind)) span.setAttribute(ATTR_DB_RESPONSE_STATUS_CODE, kind);
    failSpan(span, kind);
  }
  span.end();
}

const firstWord = /^\s*([a-z]+)/i;
// Not the FROM of `extract(epoch FROM …)`.
const firstTable =
  /\b(?:(?<!extract\s*\(\s*\w+\s+)FROM|JOIN|INTO|UPDATE)\s+(?:"?[a-z_]+"?\.)?"?([a-z_]+)\b(?!\()/i;
const tableless = new Set(['START', 'BEGIN', 'COMMIT', 'ROLLBACK', 'SET', 'SAVEPOINT', 'RELEASE']);

/** What a statement does and the first table that it names. Statements name tables before they have values. */
export function shapeOf(statement: string): { operation: string; table?: string } {
  const operation = firstWord.exec(statement)?.[1]?.toUpperCase() ?? 'QUERY';
  if (tableless.has(operation)) return { operation };
  const table = firstTable.exec(statement)?.[1];
  return table ? { operation, table } : { operation };
}
