import { describe, expect, test } from 'vitest';
import { type DeviceLimits, requireWithinLimits } from '../src/domain/deviceLimits.ts';

const none: DeviceLimits = { total: 0, web: 0, app: 0, desktop: 0 };
const stranger = (type: 'web' | 'app' | 'desktop') => ({ type, knownAs: undefined });
const refusal = (limit: string) => expect.objectContaining({ headers: { device_limit: limit } });

describe('a new device', () => {
  test('is admitted where no limit is set, however many there are', () => {
    const many = { web: 50, app: 50, desktop: 50 };
    expect(() => requireWithinLimits(none, many, stranger('web'))).not.toThrow();
  });

  test('may take the last place and none beyond', () => {
    const limits = { ...none, total: 3 };
    expect(() => requireWithinLimits(limits, { web: 1, app: 1, desktop: 0 }, stranger('web'))).not.toThrow();
    expect(() => requireWithinLimits(limits, { web: 1, app: 1, desktop: 1 }, stranger('web'))).toThrow(
      refusal('total=3'),
    );
  });

  test('is judged by the limit of its own type, after the total', () => {
    const limits = { ...none, web: 1, app: 2 };
    const counts = { web: 1, app: 1, desktop: 0 };
    expect(() => requireWithinLimits(limits, counts, stranger('app'))).not.toThrow();
    expect(() => requireWithinLimits(limits, counts, stranger('desktop'))).not.toThrow();
    expect(() => requireWithinLimits(limits, counts, stranger('web'))).toThrow(refusal('web=1'));
    expect(() => requireWithinLimits({ ...limits, total: 2 }, counts, stranger('web'))).toThrow(
      refusal('total=2'),
    );
  });
});

describe('a known device', () => {
  const limits = { total: 1, web: 1, app: 1, desktop: 0 };

  test('keeps its place, also when a limit was lowered since', () => {
    const counts = { web: 4, app: 2, desktop: 0 };
    expect(() => requireWithinLimits(limits, counts, { type: 'web', knownAs: 'web' })).not.toThrow();
  });

  test('that comes as another type needs a place there', () => {
    const known = { type: 'app', knownAs: 'web' } as const;
    expect(() => requireWithinLimits(limits, { web: 1, app: 0, desktop: 0 }, known)).not.toThrow();
    expect(() => requireWithinLimits(limits, { web: 1, app: 1, desktop: 0 }, known)).toThrow(
      refusal('app=1'),
    );
  });
});
