import { parseInput, requiredMessage } from '@gradeway/shared/http/validation';
import type { Request } from 'express';
import { z } from 'zod';
import { type Client, type DeviceType, readDeviceType } from '../domain/device.ts';
import type { DeviceLimits } from '../domain/deviceLimits.ts';
import { codeFields, credentialFields, deviceFields } from './schemas.ts';

const longestUserAgent = 512;

/** Reads the requests that log in: who it is, and on what (D9). */
export function loginInput(limits: DeviceLimits) {
  const withPassword = z.object({ ...credentialFields, ...deviceFields }).superRefine(requireToken);
  const withCode = z.object({ ...codeFields, ...deviceFields }).superRefine(requireToken);

  // An app without a token is not tracked; where apps are limited it would escape the limit.
  function requireToken(
    { device_type: type, device_token: token }: { device_type: DeviceType; device_token?: string | null },
    context: z.RefinementCtx,
  ): void {
    if (type === 'web' || token || limits[type] === 0) return;
    const path = ['device_token'];
    context.addIssue({ code: 'custom', path, message: requiredMessage('device token') });
  }

  function read<T extends DeviceInput>(schema: z.ZodType<T>, req: Request): T & { client: Client } {
    const input = parseInput(schema, { ...req.body, ...deviceOf(req) });
    const client = {
      type: input.device_type,
      token: input.device_token ?? null,
      name: input.device_name ?? null,
      userAgent: (req.get('user-agent') ?? '').slice(0, longestUserAgent),
    };
    return { ...input, client };
  }

  return {
    withPassword: (req: Request) => read(withPassword, req),
    withCode: (req: Request) => read(withCode, req),
  };
}

interface DeviceInput {
  device_type: DeviceType;
  device_token?: string | null | undefined;
  device_name?: string | null | undefined;
}

/** What the body says of the device, or else the headers (specification 1). */
function deviceOf(req: Request) {
  const { device_type, device_token, device_name } = req.body ?? {};
  return {
    device_type: readDeviceType(device_type || req.get('device_type')),
    device_token: device_token || req.get('device_token'),
    device_name: device_name || req.get('device-name'),
  };
}
