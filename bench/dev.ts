import { startScene, newGradedQuiz, openDesk } from './web/scene.ts';
import { photographPages, scanOf } from './web/scan.ts';
import { timeOf, watchRequests, watchSheets } from './web/nextSheet.ts';
import { slowDown, throttle } from './web/throttle.ts';
import { percentile } from './measuring/statistics.ts';
import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
const count = Number(process.env.COUNT ?? 24);
const scene = await startScene(count);
try {
  const t0=Date.now();
  const pages = await photographPages(scene.browser, 4, 900_000);
  console.log('pages', pages.map((p) => p.length), Date.now()-t0);
  const quiz = await newGradedQuiz(scene, count, (i) => scanOf(pages, `Sheet ${i}`));
  console.log('uploaded', Date.now()-t0);
  for (const rate of (process.env.RATES ?? '1,4').split(',').map(Number)) {
    const page = await scene.openPage();
    page.on('console', (m) => console.log('console', m.text()));
    page.on('pageerror', (m) => console.log('error', m));
    await openDesk(page, scene.school.system.baseUrl, quiz);
    const requests = watchRequests(page);
    await watchSheets(page);
    await slowDown(page, rate);
    await requests.settled();
    const times: number[] = [];
    const n = Number(process.env.N ?? 10);
    const s = await page.context().newCDPSession(page);
    const events: unknown[] = [];
    s.on('Tracing.dataCollected', (e) => events.push(...e.value));
    for (let i = 0; i < n; i++) {
      if (i === n - 2 && process.env.TRACE) await s.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig: { includedCategories: ['devtools.timeline', 'v8.execute', 'disabled-by-default-v8.cpu_profiler', 'blink.user_timing'] } } as never);
      await page.keyboard.press('1'); await sleep(300);
      times.push(await timeOf(page, 'n'));
      if (process.env.TRACE && i === n - 2) { await sleep(200); const done = new Promise((r) => s.once('Tracing.tracingComplete', r)); await s.send('Tracing.end'); await done; writeFileSync(`${process.env.TRACE}.${rate}.json`, JSON.stringify({ traceEvents: events })); events.length = 0; }
      await requests.settled();
      await sleep(rate * 400);
    }
    console.log(`cpu ${rate} n`, times.map((t) => t.toFixed(0)).join(' '), 'p95', percentile(times, 95).toFixed(0));
    const back: number[] = [];
    for (let i = 0; i < Math.min(6, n - 2); i++) { back.push(await timeOf(page, 'k')); await requests.settled(); await sleep(rate*400); }
    console.log(`cpu ${rate} k`, back.map((t) => t.toFixed(0)).join(' '));
    await page.screenshot({ path: `/tmp/desk/dev-${rate}.png` });
    await page.context().close();
  }
} finally { await scene.stop(); }
