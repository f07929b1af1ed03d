import { ROOT_CONTEXT, type Span, SpanStatusCode, trace } from '@opentelemetry/api';
import {
  AlwaysOffSampler,
  createAlwaysRecordSampler,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { describe, expect, test } from 'vitest';
import { FailedTraceProcessor } from '../../src/tracing/failedTraceProcessor.ts';

function start(limits?: ConstructorParameters<typeof FailedTraceProcessor>[1]) {
  const exporter = new InMemorySpanExporter();
  const processor = new FailedTraceProcessor(new SimpleSpanProcessor({ exporter }), limits);
  const sampler = createAlwaysRecordSampler(new AlwaysOffSampler());
  const tracer = new TracerProvider({ sampler, spanProcessors: [processor] }).getTracer('test');
  return {
    processor,
    exported: () => exporter.getFinishedSpans().map(({ name }) => name),
    flags: () => exporter.getFinishedSpans().map((span) => span.spanContext().traceFlags),
    span: (name: string, parent?: Span) =>
      tracer.startSpan(name, {}, parent ? trace.setSpan(ROOT_CONTEXT, parent) : ROOT_CONTEXT),
    /** An entry span whose parent is in another process. */
    entryFrom: (name: string, caller: Span) =>
      tracer.startSpan(
        name,
        {},
        trace.setSpanContext(ROOT_CONTEXT, { ...caller.spanContext(), isRemote: true }),
      ),
  };
}
const fail = (span: Span) => span.setStatus({ code: SpanStatusCode.ERROR });

describe('of an unsampled trace', () => {
  test('no part of an unsampled trace is exported when no span failed', () => {
    const { span, exported, processor } = start();
    const entry = span('entry');
    span('query', entry).end();
    expect(processor.held).toBe(1);
    entry.end();
    expect([exported(), processor.held]).toEqual([[], 0]);
  });

  test('the whole segment of an unsampled trace is exported as sampled when any of its spans failed', () => {
    const { span, exported, flags, processor } = start();
    const entry = span('entry');
    const call = span('call', entry);
    const query = span('query', call);
    fail(query).end();
    call.end();
    span('other query', entry).end();
    entry.end();
    expect(exported()).toEqual(['query', 'call', 'other query', 'entry']);
    expect(flags()).toEqual([1, 1, 1, 1]);
    expect(processor.held).toBe(0);
  });

  test('two segments of an unsampled trace in one process are evaluated separately', () => {
    const { span, entryFrom, exported } = start();
    const caller = span('caller');
    const [good, bad] = [entryFrom('good', caller), entryFrom('bad', caller)];
    span('query of good', good).end();
    fail(bad).end();
    good.end();
    expect(exported()).toEqual(['bad']);
  });

  test('only the failed span of an unsampled trace is exported when it ends after its entry span', () => {
    const { span, exported } = start();
    const entry = span('entry');
    const [late, fine] = [span('late', entry), span('fine', entry)];
    entry.end();
    fine.end();
    fail(late).end();
    expect(exported()).toEqual(['late']);
  });

  test('the number of held spans is limited per segment and in total, but failed spans are always exported', () => {
    const { span, exported, processor } = start({ perSegment: 2, total: 3 });
    const [one, two] = [span('one'), span('two')];
    for (let n = 0; n < 10; n += 1) span(`of one ${n}`, one).end();
    for (let n = 0; n < 10; n += 1) span(`of two ${n}`, two).end();
    expect(processor.held).toBe(3);
    fail(span('failure', one)).end();
    expect(exported()).toEqual(['failure']);
    one.end();
    two.end();
    expect(exported()).toEqual(['failure', 'of one 0', 'of one 1', 'one']);
    expect(processor.held).toBe(0);
  });
});
