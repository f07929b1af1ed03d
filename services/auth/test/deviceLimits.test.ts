import { describe, expect, test } from 'vitest';
import { type DeviceLimits, requireWithinLimits } from '../src/domain/deviceLimits.ts';

const unlimited: DeviceLimits = { total: 0, web: 0, app: 0, desktop: 0 };
const newDevice = (type: 'web' | 'app' | 'desktop') => ({ type, previousType: undefined });
const reached = (limit: string) => expect.objectContaining({ code: 'unauthenticated', limit });

describe('a new device', () => {
  test('a new device is admitted when no limit is set', () => {
    const many = { web: 50, app: 50, desktop: 50 };
    expect(() => requireWithinLimits(unlimited, many, newDevice('web'))).not.toThrow();
  });

  test('a new device may take the last slot, but cannot exceed the limit', () => {
    const limits = { ...unlimited, total: 3 };
    expect(() => requireWithinLimits(limits, { web: 1, app: 1, desktop: 0 }, newDevice('web'))).not.toThrow();
    expect(() => requireWithinLimits(limits, { web: 1, app: 1, desktop: 1 }, newDevice('web'))).toThrow(
      reached('total=3'),
    );
  });

  test('a new device is checked against the total limit, then against the limit of its type', () => {
    const limits = { ...unlimited, web: 1, app: 2 };
    const counts = { web: 1, app: 1, desktop: 0 };
    expect(() => requireWithinLimits(limits, counts, newDevice('app'))).not.toThrow();
    expect(() => requireWithinLimits(limits, counts, newDevice('desktop'))).not.toThrow();
    expect(() => requireWithinLimits(limits, counts, newDevice('web'))).toThrow(reached('web=1'));
    expect(() => requireWithinLimits({ ...limits, total: 2 }, counts, newDevice('web'))).toThrow(
      reached('total=2'),
    );
  });
});

describe('a registered device', () => {
  const limits = { total: 1, web: 1, app: 1, desktop: 0 };

  test('a registered device keeps its slot when a limit is lowered', () => {
    const counts = { web: 4, app: 2, desktop: 0 };
    expect(() => requireWithinLimits(limits, counts, { type: 'web', previousType: 'web' })).not.toThrow();
  });

  test('a registered device that changes its type needs a slot of the new type', () => {
    const device = { type: 'app', previousType: 'web' } as const;
    expect(() => requireWithinLimits(limits, { web: 1, app: 0, desktop: 0 }, device)).not.toThrow();
    expect(() => requireWithinLimits(limits, { web: 1, app: 1, desktop: 0 }, device)).toThrow(
      reached('app=1'),
    );
  });
});
