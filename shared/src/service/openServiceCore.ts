import type { Express } from 'express';
import type { Sequelize } from 'sequelize';
import type { ServiceSecret } from '../config/serviceKeys.ts';
import { openServiceDatabase } from '../database/openServiceDatabase.ts';
import { consumeEvents, type EventHandlers } from '../events/consumeEvents.ts';
import { type BrokerWithOutbox, openBrokerWithOutbox } from '../events/openBrokerWithOutbox.ts';
import { type GrpcService, listenGrpc } from '../grpc/server.ts';
import { startAdminServer } from '../http/adminServer.ts';
import { listen } from '../http/server.ts';
import type { ProcessContext } from '../process/runProcess.ts';

export type ServiceName = 'auth' | 'courses' | 'homework' | 'quiz';

export interface CoreConfig {
  host: string;
  adminPort: number;
  port: number;
  grpcPort: number;
  serviceSecret: ServiceSecret;
  databaseUrl: string;
  databasePool: number;
  databaseWait: number;
  eventsUrl: string;
}

export interface ServiceCore<Name extends ServiceName> extends BrokerWithOutbox {
  sequelize: Sequelize;
  /** Consumes the events to which the service subscribes. */
  consume(handlers: EventHandlers<Name>): Promise<void>;
  serveGrpc<Handlers>(service: GrpcService<Handlers>, ...others: GrpcService<object>[]): Promise<void>;
  serveHttp(app: Express, requestTimeoutMs?: number): Promise<void>;
}

/**
 * Opens the parts that all services share: the admin port, the migrated database, and the broker with the outbox. Consumers
 * and servers are started by the returned functions. All parts stop with the process, in reverse order.
 */
export async function openServiceCore<Name extends ServiceName>(
  context: ProcessContext<CoreConfig>,
  name: Name,
  migrations: URL,
): Promise<ServiceCore<Name>> {
  const { config, log, health, onStop } = context;
  const { host, serviceSecret: secret } = config;
  const adminServer = await startAdminServer(health, host, config.adminPort);
  onStop('the admin port', () => adminServer.close());
  const sequelize = await openServiceDatabase(context, name, migrations);
  const { broker, outbox } = await openBrokerWithOutbox(context, sequelize);
  return {
    sequelize,
    broker,
    outbox,
    async consume(handlers) {
      onStop('the event consumer', await consumeEvents({ consumer: name, broker, sequelize, log, handlers }));
    },
    async serveGrpc(service, ...alsoServes) {
      const port = config.grpcPort;
      const grpc = await listenGrpc({ name, host, port, secret, log, health, service, alsoServes });
      onStop('the gRPC server', () => grpc.close());
    },
    async serveHttp(app, requestTimeoutMs) {
      const http = await listen(app, { host, port: config.port, requestTimeoutMs, log });
      onStop('the HTTP server', () => http.close());
    },
  };
}
