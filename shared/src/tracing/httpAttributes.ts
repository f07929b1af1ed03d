import type { Attributes } from '@opentelemetry/api';
import {
  ATTR_HTTP_REQUEST_METHOD,
  ATTR_HTTP_RESPONSE_HEADER,
  ATTR_HTTP_RESPONSE_STATUS_CODE,
  ATTR_HTTP_ROUTE,
  ATTR_SERVER_ADDRESS,
  ATTR_SERVER_PORT,
  ATTR_URL_FULL,
  ATTR_URL_PATH,
  ATTR_URL_SCHEME,
} from '@opentelemetry/semantic-conventions';
import type { Request, Response } from 'express';
import { requestIdOf } from '../http/requestId.ts';
import { knownMethod, routeOf } from '../http/route.ts';

/** A request as described by its server span. */
export interface ServedRequest {
  method: string;
  scheme: 'http' | 'https';
  /** The route template; undefined if no route matched. */
  route: string | undefined;
  status: number;
  requestId: string;
}

/** A call as described by its client span. */
export interface SentRequest {
  method: string;
  origin: string;
  /** The route template. */
  route: string;
  /** Undefined if there was no response. */
  status: number | undefined;
}

export interface NamedSpan {
  name: string;
  attributes: Attributes;
}

const requestIdHeader = ATTR_HTTP_RESPONSE_HEADER('x-request-id');

/*
 * Spans contain route templates instead of paths, because a path can contain personal data, and a path that matches no
 * route can contain anything.
 */
const noRoute = '/REDACTED';

/** Describes a request whose response has ended. */
export function servedRequest(req: Request, res: Response): ServedRequest {
  return {
    method: knownMethod(req.method),
    // A proxy could pass on an arbitrary protocol claimed by a client.
    scheme: req.secure ? 'https' : 'http',
    route: routeOf(req, res),
    status: res.statusCode,
    requestId: requestIdOf(res) ?? '',
  };
}

export function serverSpan({ method, scheme, route, status, requestId }: ServedRequest): NamedSpan {
  const attributes: Attributes = {
    [ATTR_HTTP_REQUEST_METHOD]: method,
    [ATTR_URL_SCHEME]: scheme,
    [ATTR_URL_PATH]: route ?? noRoute,
    [ATTR_HTTP_RESPONSE_STATUS_CODE]: status,
    // Header values are an array in OpenTelemetry's conventions.
    [requestIdHeader]: [requestId],
  };
  if (route === undefined) return { name: method, attributes };
  attributes[ATTR_HTTP_ROUTE] = route;
  return { name: `${method} ${route}`, attributes };
}

export function clientSpan({ method, origin, route, status }: SentRequest): NamedSpan {
  const { hostname, port } = addressOf(origin);
  const attributes: Attributes = {
    [ATTR_HTTP_REQUEST_METHOD]: method,
    [ATTR_SERVER_ADDRESS]: hostname,
    [ATTR_SERVER_PORT]: port,
    [ATTR_URL_FULL]: origin + route,
    'url.template': route,
  };
  if (status !== undefined) attributes[ATTR_HTTP_RESPONSE_STATUS_CODE] = status;
  return { name: `${method} ${route}`, attributes };
}

const addresses = new Map<string, { hostname: string; port: number }>();

// Caches the parsed addresses of the services.
function addressOf(origin: string): { hostname: string; port: number } {
  const known = addresses.get(origin);
  if (known) return known;
  const { hostname, port, protocol } = new URL(origin);
  const address = { hostname, port: Number(port || (protocol === 'https:' ? 443 : 80)) };
  addresses.set(origin, address);
  return address;
}
