import { describe, expect, test } from 'vitest';
import { KeptJson } from '../../src/http/keptJson.ts';

/** JSON of its source, and how often it was written. */
function counted() {
  const counts = { written: 0 };
  const write = (source: string): string => {
    counts.written += 1;
    return JSON.stringify({ source });
  };
  return { counts, write };
}

describe('kept JSON', () => {
  test('is written once for an unchanged source', () => {
    const { counts, write } = counted();
    const kept = new KeptJson();
    const answers = [1, 2].map(() => kept.of(7, '宿題', 'now', write).toString());
    expect(answers).toEqual(['{"source":"宿題"}', '{"source":"宿題"}']);
    expect(counts.written).toBe(1);
  });

  test('follows its source, and every id has its own', () => {
    const { write } = counted();
    const kept = new KeptJson();
    const sources = ['first', 'second', 'first'];
    const answers = sources.flatMap((source) => [
      kept.of(7, source, 'now', write).toString(),
      kept.of(8, `${source} of 8`, 'now', write).toString(),
    ]);
    expect(answers).toEqual(sources.flatMap((source) => [write(source), write(`${source} of 8`)]));
  });

  test('is written again under other conditions', () => {
    const kept = new KeptJson();
    const at = (conditions: string) => kept.of(7, 'source', conditions, () => `"${conditions}"`).toString();
    expect(['one', 'two', 'one'].map(at)).toEqual(['"one"', '"two"', '"one"']);
  });

  test('is bounded: what would exceed the memory is dropped and written again', () => {
    const { counts, write } = counted();
    const kept = new KeptJson(10_000);
    const writeAll = () => {
      for (let id = 0; id < 100; id += 1) kept.of(id, 'x'.repeat(300), 'now', write);
    };
    writeAll();
    writeAll();
    expect(counts.written).toBe(200);
  });

  test('of a source that changes often takes no more memory than that of its last one', () => {
    const { counts, write } = counted();
    const kept = new KeptJson(10_000);
    kept.of(1, 'unchanged', 'now', write);
    for (let change = 0; change < 100; change += 1) kept.of(2, `${change}`.padEnd(300), 'now', write);
    kept.of(1, 'unchanged', 'now', write);
    expect(counts.written).toBe(101);
  });
});
