import { createCookieBrowser } from '@gradeway/test/cookieBrowser';
import { Fixtures } from '@gradeway/test/fixtures';
import { type SystemWithProvider, startSystemWithProvider } from '@gradeway/test/systemWithProvider';
import { drawTrace, startTraceReceiver, type TraceReceiver } from '@gradeway/test/traceReceiver';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { edgesOf, traceOf } from './spans.ts';

let receiver: TraceReceiver;
let running: SystemWithProvider;
beforeAll(async () => {
  receiver = await startTraceReceiver();
  running = await startSystemWithProvider(
    { domains: ['school.example'] },
    { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint },
  );
});
afterAll(async () => {
  await running?.close();
  await receiver?.close();
});

test('a sign-in is one trace from the gateway through auth to the provider, without personal data', async () => {
  const { system, provider } = running;
  const email = 'ada.traced@school.example';
  await new Fixtures(system).newStudent({ email });
  provider.person = { sub: 'subjecttraced', email, email_verified: true };
  const browser = createCookieBrowser();
  const isBack = (url: URL) => url.pathname.endsWith('/callback');
  const back = await browser.follow(`${system.baseUrl}/session/sso/school`, isBack);
  const url = back.headers.get('location') ?? '';
  const { status, headers } = await browser.request(url);
  expect([status, headers.get('location')]).toEqual([303, '/']);

  const finishSignIn = 'gradeway.auth.v1.AuthService/FinishSignIn';
  const trace = await receiver.find((spans) => {
    const found = traceOf(spans, { status, headers, body: null });
    return found.some(({ name }) => name === 'GET /jwks') ? found : undefined;
  });
  if (process.env.DRAW_TRACES) console.log(drawTrace(trace));
  expect([...edgesOf(trace)]).toEqual(
    expect.arrayContaining([
      'client → gateway server GET /session/sso/:provider/callback',
      `gateway server GET /session/sso/:provider/callback → gateway client ${finishSignIn}`,
      `gateway client ${finishSignIn} → auth server ${finishSignIn}`,
      `auth server ${finishSignIn} → auth client DELETE sign_ins`,
      `auth server ${finishSignIn} → auth client POST /token`,
      `auth server ${finishSignIn} → auth client GET /jwks`,
      `auth server ${finishSignIn} → auth client GET /me`,
      `auth server ${finishSignIn} → auth client INSERT identities`,
      `auth server ${finishSignIn} → auth client INSERT sso_sessions`,
    ]),
  );
  const { searchParams } = new URL(url);
  const text = JSON.stringify(trace, (_, value) => (typeof value === 'bigint' ? String(value) : value));
  for (const secret of [email, 'subjecttraced', searchParams.get('code'), searchParams.get('state')])
    expect(text).not.toContain(secret);
});
