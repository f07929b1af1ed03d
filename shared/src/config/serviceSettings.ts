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
      'Time zone of the school, the same for all processes: of timestamps in responses, of times in requests that have no offset (D1), and of the web application',
  }),
  logLevel: logLevel('LOG_LEVEL', { default: 'info', about: 'Minimum level of logged lines' }),
  shutdownDelay: duration('SHUTDOWN_DELAY', {
    default: '0s',
    about:
      'How long the process continues to serve after SIGTERM, until load balancers have noticed; 5s or more in Kubernetes',
  }),
  shutdownTimeout: duration('SHUTDOWN_TIMEOUT', {
    default: '20s',
    about: 'Maximum duration of the shutdown after that; then the process exits',
  }),
  serviceSecret: serviceKeys(
    'Keys for the credentials of gRPC calls, as `auth=KEY,courses=KEY`: one for each peer, shared only with that peer. If a peer has several, the first signs and all are accepted',
    secret('SERVICE_SECRET', {
      about:
        'Instead of `SERVICE_KEYS`, one key for all processes, with which each could impersonate any other',
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
      'How often auth sends new revocations, in addition to revocation events, and how often they are polled while it does not; 1s or less, the same for all processes (D13)',
  }),
  tokenIssuer: text('TOKEN_ISSUER', { default: 'gradeway', about: '`iss` claim of access tokens' }),
  tokenAudience: text('TOKEN_AUDIENCE', { default: 'gradeway-api', about: '`aud` claim of access tokens' }),
  traceEndpoint: url.optional('OTEL_EXPORTER_OTLP_ENDPOINT', {
    about: 'OTLP/HTTP endpoint that receives traces (`http://jaeger:4318`); without it, tracing is off',
  }),
  traceRatio: ratio('OTEL_TRACES_SAMPLER_ARG', {
    default: '1',
    about: 'Share of traces that is sampled, decided where a trace begins; failed requests are always sent',
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
  port: port('PORT', { default: '8080', about: 'Port of the HTTP interface' }),
  grpcPort: port('GRPC_PORT', { default: '9090', about: 'Port of the gRPC interface' }),
  databaseUrl: urls('DATABASE_URL', {
    about:
      'Postgres, with the role that owns the schema of this service. While its password is being replaced, two URLs separated by a space: where Postgres refuses the password of the first, the second is used',
  }),
  databasePool: count('DATABASE_POOL', { default: '10', about: 'Maximum number of connections to Postgres' }),
  databaseWait: duration('DATABASE_WAIT', {
    default: '10s',
    about:
      'How long, from the start of an outage, requests wait for a connection to Postgres, at most until their deadline; later they get 503 at once. Must be below `IDLE_TIMEOUT` of the gateway; 0s means no wait',
  }),
  eventsUrl: url('EVENTS_URL', {
    about: 'Broker: `amqp://…` for RabbitMQ, `postgres://…` for the embedded broker',
  }),
  publicUrl: url.optional('PUBLIC_URL', {
    about: 'Base of the URLs in responses; default: the scheme and host that the client used (D6)',
  }),
};
