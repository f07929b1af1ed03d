import { AuthService } from '@gradeway/proto/auth';
import { CoursesService } from '@gradeway/proto/courses';
import { expect, test } from 'vitest';
import { serviceConfigOf } from '../../src/grpc/serviceConfig.ts';

const retried = (definition: Parameters<typeof serviceConfigOf>[0]) =>
  JSON.parse(serviceConfigOf(definition)).methodConfig.flatMap(({ name }: { name: object[] }) => name);

test('only methods without side effects are retried', () => {
  const service = 'gradeway.auth.v1.AuthService';
  expect(retried(AuthService.service)).toContainEqual({ service, method: 'GetUsers' });
  const { GetUsers, ListRevocations } = AuthService.service;
  const writing = { ...ListRevocations, options: { idempotency_level: 'IDEMPOTENCY_UNKNOWN' } };
  expect(retried({ GetUsers, writing })).toEqual([{ service, method: 'GetUsers' }]);
  expect(retried({ writing })).toEqual([]);
});

test('calls are distributed round-robin over the addresses of a name', () => {
  const config = JSON.parse(serviceConfigOf(CoursesService.service));
  expect(config.loadBalancingConfig).toEqual([{ round_robin: {} }]);
});
