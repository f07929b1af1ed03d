import { AuthService } from '@gradeway/proto/auth';
import { CoursesService } from '@gradeway/proto/courses';
import { serviceConfigOf } from '@gradeway/shared/grpc/serviceConfig';
import { expect, test } from 'vitest';

const retried = (definition: Parameters<typeof serviceConfigOf>[0]) =>
  JSON.parse(serviceConfigOf(definition)).methodConfig.flatMap(({ name }: { name: object[] }) => name);

test('only what the .proto marks as free of effects is repeated', () => {
  const service = 'gradeway.auth.v1.AuthService';
  expect(retried(AuthService.service)).toContainEqual({ service, method: 'GetUsers' });
  const { GetUsers, ListRevocations } = AuthService.service;
  const changing = { ...ListRevocations, options: { idempotency_level: 'IDEMPOTENCY_UNKNOWN' } };
  expect(retried({ GetUsers, changing })).toEqual([{ service, method: 'GetUsers' }]);
  expect(retried({ changing })).toEqual([]);
});

test('calls go to every address of a name in turn', () => {
  const config = JSON.parse(serviceConfigOf(CoursesService.service));
  expect(config.loadBalancingConfig).toEqual([{ round_robin: {} }]);
});
