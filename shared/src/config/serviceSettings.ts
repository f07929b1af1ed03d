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
} from './readConfig.ts';

/** Settings that every process has. */
export const processSettings = {
  host: text('HOST', { default: '0.0.0.0', about: 'Address to listen on' }),
  adminPort: port('ADMIN_PORT', { default: '9464', about: 'Port of `/livez`, `/readyz` and `/metrics`' }),
  logLevel: logLevel('LOG_LEVEL', { default: 'info', about: 'The least important line that is logged' }),
  shutdownDelay: duration('SHUTDOWN_DELAY', {
    default: '0s',
    about: 'How long to go on serving after SIGTERM, until everybody has noticed; 5s or more in Kubernetes',
  }),
  shutdownTimeout: duration('SHUTDOWN_TIMEOUT', {
    default: '20s',
    about: 'After this long the process ends, whatever is still open',
  }),
  serviceSecret: secret('SERVICE_SECRET', {
    about: 'Key that signs and verifies the credentials of gRPC calls between our own processes',
  }),
  authGrpc: address('AUTH_GRPC', { default: 'auth:9090', about: 'gRPC address of auth' }),
  jwksUrl: url('JWKS_URL', {
    default: 'http://auth:8080/.well-known/jwks.json',
    about: "Where auth's public keys are",
  }),
  revocationsInterval: duration('REVOCATIONS_INTERVAL', {
    default: '1s',
    about: 'How often auth is asked which sessions have ended, whatever events tell; D13 wants 1s or less',
  }),
  tokenIssuer: text('TOKEN_ISSUER', { default: 'gradeway', about: 'The `iss` of an access token' }),
  tokenAudience: text('TOKEN_AUDIENCE', { default: 'gradeway-api', about: 'The `aud` of an access token' }),
  traceEndpoint: url.optional('OTEL_EXPORTER_OTLP_ENDPOINT', {
    about: 'Where traces are sent, as OTLP over HTTP (`http://jaeger:4318`); unset, there are none',
  }),
  traceRatio: ratio('OTEL_TRACES_SAMPLER_ARG', {
    default: '1',
    about: 'The part of the traces that is sent, chosen where each begins; what fails is sent in any case',
  }),
  traceServiceName: text.optional('OTEL_SERVICE_NAME', {
    about: 'The `service.name` of the traces; unset, the name of the process',
  }),
  traceResource: pairs('OTEL_RESOURCE_ATTRIBUTES', {
    default: ',',
    about: 'More about this process for its traces, like `deployment.environment.name=production`',
  }),
};

/** Settings that every service behind the gateway has. */
export const serviceSettings = {
  ...processSettings,
  port: port('PORT', { default: '8080', about: 'Port of the HTTP interface' }),
  grpcPort: port('GRPC_PORT', { default: '9090', about: 'Port of the gRPC interface' }),
  databaseUrl: url('DATABASE_URL', { about: 'Postgres, as the role that owns this service’s schema' }),
  databasePool: count('DATABASE_POOL', { default: '10', about: 'Most connections to Postgres at once' }),
  eventsUrl: url('EVENTS_URL', {
    about: 'The broker: `amqp://…` is RabbitMQ, `postgres://…` the embedded one',
  }),
  publicUrl: url.optional('PUBLIC_URL', {
    about: 'Start of every URL in an answer; unset, the address that the client used (D6)',
  }),
  timeZone: timeZone('APP_TIMEZONE', {
    default: 'UTC',
    about: 'Zone in which times are written, and read when they name none (D1)',
  }),
};
