import { expect, test } from 'vitest';
import { RenderQueue } from './renderQueue.ts';
import { SharedRenders } from './sharedRenders.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Renders whose pages are painted only when the test lets them. */
function newRenders() {
  const renders = new SharedRenders(new RenderQueue());
  const paints: { key: string; signal: AbortSignal; paint(): void }[] = [];
  const render = (key: string, urgency: 'shown' | 'ahead' = 'ahead') =>
    renders.render(key, urgency, (signal) => {
      const { promise, resolve, reject } = Promise.withResolvers<HTMLCanvasElement>();
      signal.addEventListener('abort', () => reject(signal.reason));
      paints.push({ key, signal, paint: () => resolve({ title: key } as HTMLCanvasElement) });
      return promise;
    });
  return { renders, paints, render };
}

test('a page requested twice is painted once for both', async () => {
  const { paints, render } = newRenders();
  const [ahead, shown] = [render('page 1'), render('page 1', 'shown')];
  paints[0]?.paint();
  expect(await ahead.canvas).toBe(await shown.canvas);
  expect(paints).toHaveLength(1);
});

test('a page requested again after it was painted is painted again', async () => {
  const { paints, render } = newRenders();
  const first = render('page 1');
  paints[0]?.paint();
  await first.canvas;
  render('page 1');
  await turn();
  expect(paints).toHaveLength(2);
});

test('a render is aborted only when every caller has cancelled', async () => {
  const { paints, render } = newRenders();
  const [one, other] = [render('page 1'), render('page 1')];
  one.cancel();
  one.cancel();
  expect(paints[0]?.signal.aborted).toBe(false);
  other.cancel();
  expect(paints[0]?.signal.aborted).toBe(true);
  await expect(other.canvas).rejects.toThrow();
});

test('a page requested again immediately after its cancellation is shared and painted', async () => {
  const { paints, render } = newRenders();
  const cancelled = render('page 1');
  cancelled.cancel();
  const [again, shared] = [render('page 1'), render('page 1')];
  await expect(cancelled.canvas).rejects.toThrow();
  await turn();
  paints[1]?.paint();
  expect(await again.canvas).toBe(await shared.canvas);
  expect(paints).toHaveLength(2);
});

test('cancelling a finished render changes nothing', async () => {
  const { paints, render } = newRenders();
  const first = render('page 1');
  paints[0]?.paint();
  await first.canvas;
  first.cancel();
  expect(paints[0]?.signal.aborted).toBe(false);
});

test('waiting pages of a closed document are not painted', async () => {
  const { renders, paints, render } = newRenders();
  const all = [render('page 1'), render('page 2')];
  renders.cancelAll();
  expect(await Promise.allSettled(all.map(({ canvas }) => canvas))).toMatchObject([
    { status: 'rejected' },
    { status: 'rejected' },
  ]);
  await turn();
  expect(paints.map(({ key }) => key)).toEqual(['page 1']);
});
