import { serviceKeys } from './serviceKeys.ts';
import {
  address,
  count,
  duration,
  logLevel,
  pairs,
  port,
  ratio,
  secret,
  text,
  timeZone,
  url,
  urls,
} from './settingKinds.ts';

/** Settings of every process. */
export const processSettings = {
  host: text('HOST', { default: '0.0.0.0', about: 'Address to listen on' }),
  adminPort: port('ADMIN_PORT', { default: '9464', about: 'Port of `/livez`, `/readyz` and `/metrics`' }),
  timeZone: timeZone('APP_TIMEZONE', {
    default: 'UTC',
    about:
      'Time zone of the school, the same for all processes; used for timestamps in responses, for times in requests without an offset (D1) and in the web application',
  }),
  logLevel: logLevel('LOG_LEVEL', { default: 'info', about: 'Minimum log level' }),
  shutdownDelay: duration('SHUTDOWN_DELAY', {
    default: '0s',
    about:
      'How long the process continues to serve after SIGTERM while load balancers stop sending requests; at least 5s in Kubernetes',
  }),
  shutdownTimeout: duration('SHUTDOWN_TIMEOUT', {
    default: '20s',
    about: 'Maximum duration of the shutdown after `SHUTDOWN_DELAY`; then the process exits',
  }),
  serviceSecret: serviceKeys(
    'Keys for the credentials of gRPC calls, as `auth=KEY,courses=KEY`: one for each peer, shared only with that peer. If a peer has several, the first one signs and all are accepted',
    secret('SERVICE_SECRET', {
      about:
        'One key for all processes instead of `SERVICE_KEYS`; each process could then impersonate any other',
    }),
  ),
  authGrpc: address('AUTH_GRPC', { default: 'auth:9090', about: 'gRPC address of auth' }),
  jwksUrl: url('JWKS_URL', {
    default: 'http://auth:8080/.well-known/jwks.json',
    about: "URL of auth's public keys",
  }),
  revocationsInterval: duration('REVOCATIONS_INTERVAL', {
    default: '1s',
    about:
      'Interval at which auth streams new revocations, in addition to events, and at which they are polled while the stream is down; at most 1s, the same for all processes (D13)',
  }),
  traceEndpoint: url.optional('OTEL_EXPORTER_OTLP_ENDPOINT', {
    about: 'OTLP/HTTP endpoint that receives traces (`http://jaeger:4318`); if unset, tracing is off',
  }),
  traceRatio: ratio('OTEL_TRACES_SAMPLER_ARG', {
    default: '0.1',
    about:
      'Fraction of traces that are sampled, decided where a trace starts; failed requests are always exported. `npm start` sets 1',
  }),
  traceServiceName: text.optional('OTEL_SERVICE_NAME', {
    about: '`service.name` of the spans; default: the name of the process',
  }),
  traceResource: pairs('OTEL_RESOURCE_ATTRIBUTES', {
    default: ',',
    about: 'Additional resource attributes of the spans, such as `deployment.environment.name=production`',
  }),
};

/** Settings of every service behind the gateway. */
export const serviceSettings = {
  ...processSettings,
  port: port('PORT', { default: '8080', about: 'HTTP port' }),
  grpcPort: port('GRPC_PORT', { default: '9090', about: 'gRPC port' }),
  databaseUrl: urls('DATABASE_URL', {
    about:
      'Postgres URL, with the role that owns the schema of this service. While its password is being replaced, two URLs separated by a space: if Postgres rejects the password of the first, the second is used',
  }),
  databasePool: count('DATABASE_POOL', { default: '10', about: 'Maximum number of connections to Postgres' }),
  databaseWait: duration('DATABASE_WAIT', {
    default: '10s',
    about:
      'How long after the start of an outage requests wait for a connection to Postgres, at most until their deadline; after that they get 503 immediately. Must be less than `IDLE_TIMEOUT` of the gateway; 0s means no wait',
  }),
  eventsUrl: url('EVENTS_URL', {
    about: 'Broker: `amqp://…` for RabbitMQ, `postgres://…` for the embedded broker',
  }),
  publicUrl: url.optional('PUBLIC_URL', {
    about: 'Base of the URLs in responses; default: scheme and host of the request (D6)',
  }),
};
