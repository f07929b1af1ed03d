import {
  convertLegacyHttpOptions,
  createOtlpHttpExportDelegate,
} from '@opentelemetry/otlp-exporter-base/node-http';
import { ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer';
import { OtlpRequest } from './otlpRequest.ts';
import type { FinishedTrace } from './requestTrace.ts';
import {
  describeProcess,
  type ExportSettings,
  exportTimeoutMs,
  reportProblems,
  tracesUrl,
} from './spanExport.ts';

// The spans of about 400 requests. Sending a body takes as long as encoding 100 requests.
const batchBytes = 256 * 1_024;
const batchEveryMs = 1_000;
// While the collector does not respond, up to this many batches are buffered and later ones are dropped.
const maxBatches = 8;

/**
 * Encodes and exports the spans of requests in batches, within a second. Requests never wait for the collector, and
 * memory is bounded: batches that the collector does not accept in time are dropped. Calls `warn` for every lost batch.
 */
export class RequestExport {
  readonly #batch: OtlpRequest;
  readonly #exporter: ReturnType<typeof openExporter>;
  readonly #warn: (problem: string) => void;
  #sending: NodeJS.Timeout | undefined;

  constructor(settings: ExportSettings, warn: (problem: string) => void) {
    reportProblems(warn);
    // Leaves room for the spans of the last request.
    this.#batch = new OtlpRequest(describeProcess(settings).attributes, batchBytes + 8_192);
    this.#exporter = openExporter(settings);
    this.#warn = warn;
  }

  export(trace: FinishedTrace): void {
    this.#batch.add(trace);
    if (this.#batch.size >= batchBytes) this.#send();
    else this.#sending ??= setTimeout(() => this.#send(), batchEveryMs).unref();
  }

  /** Exports the remaining spans and shuts down. */
  async stop(): Promise<void> {
    this.#send();
    await this.#exporter.shutdown();
  }

  #send(): void {
    clearTimeout(this.#sending);
    this.#sending = undefined;
    if (this.#batch.isEmpty) return;
    this.#exporter.export(this.#batch.take(), ({ error }) => {
      if (error) this.#warn(error.message);
    });
  }
}

/** OpenTelemetry's exporter, with its timeout, retries and environment variables, for already encoded bodies. */
function openExporter({ endpoint }: ExportSettings) {
  const options = {
    url: tracesUrl(endpoint),
    timeoutMillis: exportTimeoutMs,
    concurrencyLimit: maxBatches,
  };
  const headers = { 'Content-Type': 'application/x-protobuf' };
  return createOtlpHttpExportDelegate<Uint8Array, unknown>(
    convertLegacyHttpOptions(options, 'TRACES', 'v1/traces', headers),
    {
      serializeRequest: (body) => body,
      deserializeResponse: (data) => ProtobufTraceSerializer.deserializeResponse(data),
    },
    'otlp_http_span_exporter',
    { name: 'span', countItems: () => 1 },
    undefined,
  );
}
