import {
  type handleServerStreamingCall,
  type handleUnaryCall,
  Server,
  ServerCredentials,
  type ServiceDefinition,
  type sendUnaryData,
  status,
  type UntypedHandleCall,
} from '@grpc/grpc-js';
import { HealthImplementation } from 'grpc-health-check';
import type { ServiceSecret } from '../config/serviceKeys.ts';
import type { Health } from '../process/health.ts';
import type { Logger } from '../process/logger.ts';
import { rpcNames } from '../tracing/rpcSpans.ts';
import { toGrpcStatus } from './errors.ts';
import { serveCall } from './serveCall.ts';
import { createCredentialVerifier, type ProcessName } from './serviceCredential.ts';
import { type StreamRpc, streamHandler } from './streamServer.ts';

type Rpc<Handler> =
  Handler extends handleServerStreamingCall<infer Request, infer Response>
    ? StreamRpc<Request, Response>
    : Handler extends handleUnaryCall<infer Request, infer Response>
      ? (request: Request, caller: ProcessName) => Promise<Response>
      : never;

/** A service's RPCs as plain functions from a request to a response or a stream. They may throw AppErrors. */
export type Rpcs<Handlers> = { [K in keyof Handlers as string extends K ? never : K]: Rpc<Handlers[K]> };

/** For each RPC, the processes that may call it. Other callers get PERMISSION_DENIED. */
export type Callers<Handlers> = { readonly [K in keyof Rpcs<Handlers>]: readonly ProcessName[] };

/** A gRPC service: its definition, its RPCs and their permitted callers. */
export interface GrpcService<Handlers> {
  definition: ServiceDefinition;
  callers: Callers<Handlers>;
  rpcs: Rpcs<Handlers>;
}

interface Options<Handlers> {
  name: ProcessName;
  host: string;
  port: number;
  /** `SERVICE_KEYS`: callers must present a credential signed with the key that they share with this process. */
  secret: ServiceSecret;
  log: Logger;
  /** The readiness that the health protocol reports. */
  health: Health;
  /** Served in addition to the health protocol. */
  service?: GrpcService<Handlers>;
  /** Additional services, from protos implemented by several processes. */
  alsoServes?: GrpcService<object>[];
}

export interface GrpcServer {
  port: number;
  /**
   * Reports NOT_SERVING and waits for the RPCs in progress; `SHUTDOWN_TIMEOUT` limits the shutdown of the process. Five
   * seconds after the last RPC it ends the remaining streams, which belong to the health protocol.
   */
  close(): Promise<void>;
}

type UnaryRpc = (request: unknown, caller: ProcessName) => Promise<unknown>;

// Both kinds of streams end with their call. grpc-js does not wait for either.
type AnyHandler = (call: never, callback: sendUnaryData<unknown>) => unknown;

const maxCallMs = 30_000;
const healthStreamsMs = 5_000;

/** Starts a gRPC server. The RPCs of `service` require the credential of a permitted caller; health checks do not. */
export async function listenGrpc<Handlers>(options: Options<Handlers>): Promise<GrpcServer> {
  const server = new Server({
    // When a connection ends, clients resolve the name again and find new replicas.
    'grpc.max_connection_age_ms': 300_000,
    // Gives streams time to end on a connection that accepts no new calls. There is no keepalive, because it would cut
    // them (streamClient.ts). The max age also ends connections whose client has vanished.
    'grpc.max_connection_age_grace_ms': 30 * 60_000,
    'grpc.max_receive_message_length': 1024 * 1024,
  });
  const health = addHealth(server, options.health);
  const services = [options.service, ...(options.alsoServes ?? [])].filter(
    (service) => service !== undefined,
  );
  let [inProgress, idleSince] = [0, 0];
  const onCall = () => {
    inProgress += 1;
    return () => {
      inProgress -= 1;
      idleSince = Date.now();
    };
  };
  for (const service of services)
    server.addService(service.definition, handlersOf({ ...options, onCall }, service));

  const port = await new Promise<number>((resolve, reject) => {
    const address = `${options.host}:${options.port}`;
    server.bindAsync(address, ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });

  return {
    port,
    async close() {
      health.setStatus('', 'NOT_SERVING');
      idleSince = Date.now();
      const timer = setInterval(() => {
        if (inProgress === 0 && Date.now() - idleSince >= healthStreamsMs) server.forceShutdown();
      }, 200);
      await new Promise<void>((resolve) => {
        server.tryShutdown(() => resolve());
      });
      clearInterval(timer);
    },
  };
}

/**
 * Adds the health protocol. It requires no credential, because kubelets have none. `Check` evaluates readiness on each
 * call, so it reports NOT_SERVING as soon as shutdown begins.
 */
function addHealth(server: Server, readiness: Health): HealthImplementation {
  const health = new HealthImplementation({ '': 'SERVING' });
  const check: handleUnaryCall<{ service: string }, { status: string }> = async (call, callback) => {
    if (call.request.service !== '') return callback({ code: status.NOT_FOUND, details: 'no such service' });
    const failed = await readiness.failedOwnChecks();
    callback(null, { status: failed.length === 0 ? 'SERVING' : 'NOT_SERVING' });
  };
  health.addToServer({
    addService: (definition, handlers) => server.addService(definition, { ...handlers, check }),
  });
  return health;
}

function handlersOf(
  { name, secret, log, onCall }: Pick<Options<unknown>, 'name' | 'secret' | 'log'> & { onCall(): () => void },
  service: GrpcService<unknown>,
): Record<string, UntypedHandleCall> {
  const verifyCredential = createCredentialVerifier(secret, name);
  const nameOf = rpcNames(service.definition);
  const rpcs = Object.entries(service.rpcs) as [string, unknown][];
  const callersOf = (method: string) =>
    (service.callers as Partial<Record<string, readonly ProcessName[]>>)[method] ?? [];
  return Object.fromEntries(
    rpcs.map(([method, rpc]) => [
      method,
      counted(
        service.definition[method]?.responseStream
          ? streamHandler({
              name: nameOf(method),
              rpc: rpc as StreamRpc<unknown, unknown>,
              verifyCredential,
              callers: callersOf(method),
              log,
            })
          : handler(method, rpc as UnaryRpc),
      ),
    ]),
  );

  function counted(handle: AnyHandler): handleUnaryCall<unknown, unknown> {
    return async (call, callback) => {
      const ended = onCall();
      try {
        await handle(call as never, callback);
      } finally {
        ended();
      }
    };
  }

  function handler(method: string, rpc: UnaryRpc): handleUnaryCall<unknown, unknown> {
    return (call, callback) => {
      const startedAt = Date.now();
      return serveCall(call, {
        name: nameOf(method),
        maxMs: maxCallMs,
        verifyCredential,
        callers: callersOf(method),
        log,
        refuse: callback,
        async serve(caller) {
          try {
            callback(null, await rpc(call.request, caller));
            log.debug({ method, caller, ms: Date.now() - startedAt }, 'gRPC call');
            return status.OK;
          } catch (thrown) {
            const { error, ...answer } = toGrpcStatus(thrown);
            log.warn({ method, caller, err: error.cause ?? error }, 'gRPC call failed');
            callback(answer);
            return answer.code;
          }
        },
      });
    };
  }
}
