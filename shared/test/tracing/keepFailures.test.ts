import { KeepFailures } from '@gradeway/shared/tracing/keepFailures';
import { ROOT_CONTEXT, type Span, SpanStatusCode, trace } from '@opentelemetry/api';
import {
  AlwaysOffSampler,
  createAlwaysRecordSampler,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { describe, expect, test } from 'vitest';

function start(limits?: ConstructorParameters<typeof KeepFailures>[1]) {
  const exporter = new InMemorySpanExporter();
  const processor = new KeepFailures(new SimpleSpanProcessor({ exporter }), limits);
  const sampler = createAlwaysRecordSampler(new AlwaysOffSampler());
  const tracer = new TracerProvider({ sampler, spanProcessors: [processor] }).getTracer('test');
  return {
    processor,
    sent: () => exporter.getFinishedSpans().map(({ name }) => name),
    flags: () => exporter.getFinishedSpans().map((span) => span.spanContext().traceFlags),
    span: (name: string, parent?: Span) =>
      tracer.startSpan(name, {}, parent ? trace.setSpan(ROOT_CONTEXT, parent) : ROOT_CONTEXT),
    /** An entry whose trace began in another process. */
    entryFrom: (name: string, caller: Span) =>
      tracer.startSpan(
        name,
        {},
        trace.setSpanContext(ROOT_CONTEXT, { ...caller.spanContext(), isRemote: true }),
      ),
  };
}
const fail = (span: Span) => span.setStatus({ code: SpanStatusCode.ERROR });

describe('of what the sampling did not choose', () => {
  test('nothing is sent when nothing failed', () => {
    const { span, sent, processor } = start();
    const entry = span('entry');
    span('query', entry).end();
    expect(processor.held).toBe(1);
    entry.end();
    expect([sent(), processor.held]).toEqual([[], 0]);
  });

  test('all of a part is sent, marked as sampled, when a span of it failed, however deep', () => {
    const { span, sent, flags, processor } = start();
    const entry = span('entry');
    const call = span('call', entry);
    const query = span('query', call);
    fail(query).end();
    call.end();
    span('other query', entry).end();
    entry.end();
    expect(sent()).toEqual(['query', 'call', 'other query', 'entry']);
    expect(flags()).toEqual([1, 1, 1, 1]);
    expect(processor.held).toBe(0);
  });

  test('two parts of one trace in one process are judged apart', () => {
    const { span, entryFrom, sent } = start();
    const caller = span('caller');
    const [good, bad] = [entryFrom('good', caller), entryFrom('bad', caller)];
    span('query of good', good).end();
    fail(bad).end();
    good.end();
    expect(sent()).toEqual(['bad']);
  });

  test('a failure after its entry has ended is sent by itself', () => {
    const { span, sent } = start();
    const entry = span('entry');
    const [late, fine] = [span('late', entry), span('fine', entry)];
    entry.end();
    fine.end();
    fail(late).end();
    expect(sent()).toEqual(['late']);
  });

  test('no more is held than allowed, of one part and in all, and failures are sent even so', () => {
    const { span, sent, processor } = start({ perPart: 2, inAll: 3 });
    const [one, two] = [span('one'), span('two')];
    for (let n = 0; n < 10; n += 1) span(`of one ${n}`, one).end();
    for (let n = 0; n < 10; n += 1) span(`of two ${n}`, two).end();
    expect(processor.held).toBe(3);
    fail(span('failure', one)).end();
    expect(sent()).toEqual(['failure']);
    one.end();
    two.end();
    expect(sent()).toEqual(['failure', 'of one 0', 'of one 1', 'one']);
    expect(processor.held).toBe(0);
  });
});
