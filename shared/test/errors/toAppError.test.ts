import { ConnectionRefusedError, DatabaseError } from 'sequelize';
import { expect, test } from 'vitest';
import { openDatabase } from '../../src/database/connection.ts';
import { notFound } from '../../src/errors/appError.ts';
import { toAppError } from '../../src/errors/toAppError.ts';

const postgresError = (code: string) =>
  new DatabaseError(Object.assign(new Error('canceling statement'), { code, sql: 'SELECT 1' }));

test('an AppError is returned unchanged, any other value becomes internal', () => {
  const error = notFound();
  expect(toAppError(error)).toBe(error);
  for (const thrown of [new Error('private'), 'private', undefined])
    expect(toAppError(thrown)).toMatchObject({ code: 'internal', message: 'Server Error', cause: thrown });
});

test('errors of an unavailable database are recognized after it has been opened', async () => {
  const refused = new ConnectionRefusedError(new Error('connect ECONNREFUSED'));
  expect(toAppError(refused).code).toBe('internal');
  const sequelize = openDatabase({ url: 'postgres://user@127.0.0.1:1/none', name: 'test', pool: 1 });
  await sequelize.close();
  expect(toAppError(refused)).toMatchObject({ code: 'unavailable', cause: refused });
  expect(toAppError(postgresError('57014')).code).toBe('unavailable');
  expect(toAppError(postgresError('42P01')).code).toBe('internal');
});
