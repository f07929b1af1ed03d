// Loaded before a gateway: on messages from its parent, it switches the request log, the metrics and the traces off
// and on while the gateway runs.
import { registerHooks } from 'node:module';

/** Whether each part is active. `sampled` samples 1 % of the traces, `all` every trace. */
export interface Parts {
  log: boolean;
  metrics: boolean;
  traces: 'off' | 'sampled' | 'all';
}

declare global {
  var benchParts: Parts;
}

globalThis.benchParts = { log: true, metrics: true, traces: 'sampled' };
process.on('message', (parts: Parts) => {
  globalThis.benchParts = parts;
  process.send?.('switched');
});
process.channel?.unref();

/** The functions that replace those of a module; `original` is the module itself. */
const replaced: [end: string, functions: string][] = [
  [
    '/shared/dist/process/logger.js',
    `export const createLogger = (...options) => {
       const log = original.createLogger(...options);
       const info = log.info.bind(log);
       log.info = (...line) => {
         if (benchParts.log) info(...line);
       };
       return log;
     };`,
  ],
  [
    '/shared/dist/http/requestMetrics.js',
    `export const measureRequest = (req, res, next) => {
       if (benchParts.metrics) original.measureRequest(req, res, next);
       else next();
     };
     export const startMeasuring = (req, res) => {
       if (benchParts.metrics) original.startMeasuring(req, res);
     };`,
  ],
  [
    '/gateway/dist/forwarding/upstreamMetrics.js',
    `export const countResponse = (upstream, status, milliseconds) => {
       if (benchParts.metrics) original.countResponse(upstream, status, milliseconds);
     };`,
  ],
  [
    '/shared/dist/tracing/requestTrace.js',
    `export const beginRequestTrace = (req, startedAt) =>
       benchParts.traces === 'off' ? undefined : original.beginRequestTrace(req, startedAt);
     export const beginTracesWith = (source) => original.beginTracesWith({
       ...source,
       newTrace() {
         const trace = source.newTrace();
         if (benchParts.traces === 'sampled') trace.isSampled = Math.random() < 0.01;
         return trace;
       },
     });`,
  ],
];

registerHooks({
  load(url, context, nextLoad) {
    const [, functions] = replaced.find(([end]) => url.endsWith(end)) ?? [];
    if (functions === undefined) return nextLoad(url, context);
    // The functions take precedence over the exports of the original.
    const original = JSON.stringify(`${url}?original`);
    const source = `import * as original from ${original};\nexport * from ${original};\n${functions}`;
    return { format: 'module', source, shortCircuit: true };
  },
});
