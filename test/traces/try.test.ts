import { startLocalSystem } from '@gradeway/test/localSystem';
import { startTraceReceiver, drawTrace } from '@gradeway/test/traceReceiver';
import { sceneIn } from '../faults/faults.ts';
import { test } from 'vitest';
import { writeFileSync } from 'node:fs';

test('try', async () => {
  const r = await startTraceReceiver();
  const system = await startLocalSystem({ OTEL_EXPORTER_OTLP_ENDPOINT: r.endpoint });
  try {
    const s = await sceneIn(system.baseUrl, system.adminEmail, system.adminPassword);
    console.log((await s.upload()).status);
    const [{ id }] = await s.submissions();
    console.log((await s.admin.call('POST', `/api/v3/quiz/pdf-quizzes/grade/${id}`, { grade: 3, total_grade: 10 })).status);
    await new Promise((r) => setTimeout(r, 4000));
    const ids = [...new Set(r.spans.map((s) => s.traceId))];
    writeFileSync('/tmp/traces.txt', ids.map((i) => drawTrace(r.spans.filter((s) => s.traceId === i))).join('\n\n'));
    writeFileSync('/tmp/spans.json', JSON.stringify(r.spans, (_, v) => typeof v === 'bigint' ? String(v) : v, 1));
    writeFileSync('/tmp/quiz.log', await system.log('quiz') + await system.log('gateway')+ await system.log('courses'));
  } finally { await system.remove(); await r.close(); }
});
