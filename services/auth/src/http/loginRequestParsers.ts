import { clientAddress, networkOf } from '@gradeway/shared/http/clientAddress';
import { parseInput, requiredMessage } from '@gradeway/shared/http/validation';
import type { Request } from 'express';
import { z } from 'zod';
import { type ClientDevice, type DeviceType, parseDeviceType } from '../domain/device.ts';
import type { DeviceLimits } from '../domain/deviceLimits.ts';
import { codeFields, credentialFields, deviceFields } from './schemas.ts';

const maxUserAgentLength = 512;

/** Returns the parsers of login requests: credentials and the client's device (D9). */
export function createLoginRequestParsers(limits: DeviceLimits) {
  const passwordLogin = z.object({ ...credentialFields, ...deviceFields }).superRefine(requireToken);
  const codeLogin = z.object({ ...codeFields, ...deviceFields }).superRefine(requireToken);

  // An app without a token is not tracked, so it could bypass a limit on apps.
  function requireToken(
    { device_type: type, device_token: token }: { device_type: DeviceType; device_token?: string | null },
    context: z.RefinementCtx,
  ): void {
    if (type === 'web' || token || limits[type] === 0) return;
    const path = ['device_token'];
    context.addIssue({ code: 'custom', path, message: requiredMessage('device token') });
  }

  function parse<T extends DeviceInput>(schema: z.ZodType<T>, req: Request): T & { client: ClientDevice } {
    const input = parseInput(schema, { ...req.body, ...deviceOf(req) });
    const client = {
      type: input.device_type,
      token: input.device_token ?? null,
      name: input.device_name ?? null,
      userAgent: (req.get('user-agent') ?? '').slice(0, maxUserAgentLength),
      network: networkOf(clientAddress(req)),
    };
    return { ...input, client };
  }

  return {
    parsePasswordLogin: (req: Request) => parse(passwordLogin, req),
    parseCodeLogin: (req: Request) => parse(codeLogin, req),
  };
}

interface DeviceInput {
  device_type: DeviceType;
  device_token?: string | null | undefined;
  device_name?: string | null | undefined;
}

// Some proxies drop headers with an underscore, so the hyphenated names are read too (D54).
const header = (req: Request, name: string) => req.get(name) || req.get(name.replace('_', '-'));

/** Returns the device fields from the body, or else from the headers (specification 1). */
function deviceOf(req: Request) {
  const { device_type, device_token, device_name } = req.body ?? {};
  return {
    device_type: parseDeviceType(device_type || header(req, 'device_type')),
    device_token: device_token || header(req, 'device_token'),
    device_name: device_name || req.get('device-name'),
  };
}
