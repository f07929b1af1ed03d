import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { environmentOf, placesOf } from './manifests.ts';

describe('login codes', () => {
  test.each(placesOf('auth'))(
    '%s: production requires a mail server, a test cluster may log codes',
    (folder) => {
      const { open } = environmentOf(folder, 'auth');
      expect(open.OTP_TO_LOG).toBe(folder.includes('production') ? '0' : '1');
    },
  );
});

// Not a kustomization: it changes an object of another namespace, which Gradeway does not own.
test('ingress-nginx forwards headers with an underscore (D54)', async () => {
  const file = new URL('../../k8s/examples/ingress-nginx/controllerConfig.yaml', import.meta.url);
  expect(parse(await readFile(file, 'utf8'))).toMatchObject({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'ingress-nginx-controller', namespace: 'ingress-nginx' },
    data: { 'enable-underscores-in-headers': 'true' },
  });
});
