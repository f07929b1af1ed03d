import { expect, test } from 'vitest';
import { DrawingQueue } from './drawingQueue.ts';
import { SharedDrawings } from './sharedDrawings.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Renders whose pages are painted only when the test lets them. */
function newDrawings() {
  const drawings = new SharedDrawings(new DrawingQueue());
  const paintings: { key: string; signal: AbortSignal; paint(): void }[] = [];
  const draw = (key: string, urgency: 'shown' | 'ahead' = 'ahead') =>
    drawings.draw(key, urgency, (signal) => {
      const { promise, resolve, reject } = Promise.withResolvers<HTMLCanvasElement>();
      signal.addEventListener('abort', () => reject(signal.reason));
      paintings.push({ key, signal, paint: () => resolve({ title: key } as HTMLCanvasElement) });
      return promise;
    });
  return { drawings, paintings, draw };
}

test('a page that is asked for twice is painted once, for both', async () => {
  const { paintings, draw } = newDrawings();
  const [ahead, shown] = [draw('page 1'), draw('page 1', 'shown')];
  paintings[0]?.paint();
  expect(await ahead.canvas).toBe(await shown.canvas);
  expect(paintings).toHaveLength(1);
});

test('a page that is requested again after it was painted is painted again', async () => {
  const { paintings, draw } = newDrawings();
  const first = draw('page 1');
  paintings[0]?.paint();
  await first.canvas;
  draw('page 1');
  await turn();
  expect(paintings).toHaveLength(2);
});

test('a painting ends when the last one who waits for it has cancelled, not before', async () => {
  const { paintings, draw } = newDrawings();
  const [one, other] = [draw('page 1'), draw('page 1')];
  one.cancel();
  one.cancel();
  expect(paintings[0]?.signal.aborted).toBe(false);
  other.cancel();
  expect(paintings[0]?.signal.aborted).toBe(true);
  await expect(other.canvas).rejects.toThrow();
});

test('a page that is asked for again at once after it was cancelled is shared and painted', async () => {
  const { paintings, draw } = newDrawings();
  const cancelled = draw('page 1');
  cancelled.cancel();
  const [again, shared] = [draw('page 1'), draw('page 1')];
  await expect(cancelled.canvas).rejects.toThrow();
  await turn();
  paintings[1]?.paint();
  expect(await again.canvas).toBe(await shared.canvas);
  expect(paintings).toHaveLength(2);
});

test('cancelling a finished drawing changes nothing', async () => {
  const { paintings, draw } = newDrawings();
  const first = draw('page 1');
  paintings[0]?.paint();
  await first.canvas;
  first.cancel();
  expect(paintings[0]?.signal.aborted).toBe(false);
});

test('a closed document paints nothing that still waits', async () => {
  const { drawings, paintings, draw } = newDrawings();
  const all = [draw('page 1'), draw('page 2')];
  drawings.cancelAll();
  expect(await Promise.allSettled(all.map(({ canvas }) => canvas))).toMatchObject([
    { status: 'rejected' },
    { status: 'rejected' },
  ]);
  await turn();
  expect(paintings.map(({ key }) => key)).toEqual(['page 1']);
});
