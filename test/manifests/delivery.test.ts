import { describe, expect, test } from 'vitest';
import { environmentOf, find, placesOf } from './manifests.ts';

describe('login codes', () => {
  test.each(placesOf('auth'))(
    '%s: production requires a mail server, a test cluster may log codes',
    (folder) => {
      const { open } = environmentOf(folder, 'auth');
      expect(open.OTP_TO_LOG).toBe(folder.includes('production') ? '0' : '1');
    },
  );
});

test('ingress-nginx is told to forward headers with an underscore (D54)', () => {
  const { metadata, data } = find('platform/ingress-nginx', 'ConfigMap', 'ingress-nginx-controller');
  expect(metadata.namespace).toBe('ingress-nginx');
  expect(data).toEqual({ 'enable-underscores-in-headers': 'true' });
});
