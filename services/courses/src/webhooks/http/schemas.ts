import { webhookEventTypes } from '@gradeway/shared/events/catalog';
import type { Clock } from '@gradeway/shared/http/timestamps';
import { nullable, requiredMessage, string } from '@gradeway/shared/http/validation';
import { z } from 'zod';
import { deliveryStatuses } from '../domain/delivery.ts';
import { parseSecret } from '../domain/signature.ts';
import { everyType } from '../domain/subscription.ts';

const maxUrlLength = 2_048;
const maxDescriptionLength = 1_000;

// Only spaces are trimmed: a line break at the end is rejected like any other (ssrfGuard.ts).
const url = string(maxUrlLength)
  .transform((text) => text.replace(/^ +| +$/g, ''))
  .refine((text) => text !== '', { error: requiredMessage('url') });
const description = nullable(string(maxDescriptionLength));

const allowedTypes = new Set<unknown>([everyType, ...webhookEventTypes]);
const typesMessage = 'The event types must be a list of event types, or of * alone.';

const eventTypes = z
  .array(z.unknown(), {
    error: ({ input }) => (input === undefined ? requiredMessage('event types') : typesMessage),
  })
  .transform((types) => [...new Set(types)])
  .refine((types) => types.length > 0, { error: requiredMessage('event types'), abort: true })
  .refine((types) => types.every((type) => allowedTypes.has(type)), { error: typesMessage, abort: true })
  .transform((types) => types as string[])
  .refine((types) => types.length === 1 || !types.includes(everyType), { error: typesMessage });

const secret = z
  .string()
  .optional()
  .transform((text, context) => {
    if (text === undefined) return undefined;
    const bytes = parseSecret(text);
    if (bytes) return bytes;
    context.addIssue({ code: 'custom', message: 'The secret must be whsec_ and 24 to 64 bytes in base64.' });
    return z.NEVER;
  });

export const subscriptionFields = z
  .object({ url, description, event_types: eventTypes, is_active: z.boolean().default(true), secret })
  .transform(({ secret: given, event_types, is_active, ...fields }) => ({
    properties: {
      url: fields.url,
      description: fields.description ?? null,
      eventTypes: event_types,
      isActive: is_active,
    },
    secret: given,
  }));

/** Changes to a subscription. Absent properties stay unchanged. Null or an empty string clears the description. */
export const subscriptionChanges = z
  .object({
    url: url.optional(),
    description,
    event_types: eventTypes.optional(),
    is_active: z.boolean().optional(),
  })
  .transform((fields) => ({
    ...(fields.url === undefined ? {} : { url: fields.url }),
    ...(fields.description === undefined ? {} : { description: fields.description }),
    ...(fields.event_types === undefined ? {} : { eventTypes: fields.event_types }),
    ...(fields.is_active === undefined ? {} : { isActive: fields.is_active }),
  }));

export const rotationFields = z.object({ secret });

export const deliveryFilter = z.object({ status: z.enum(deliveryStatuses).optional() });

/** Failed deliveries created at or after this time are sent again. */
export const replayFields = (clock: Clock) =>
  z.object({
    since: z.string().transform((text, context) => {
      const time = clock.parse(text);
      if (time) return time;
      context.addIssue({
        code: 'custom',
        message: 'The value of since must be a time like 2026-11-21T10:15:00.',
      });
      return z.NEVER;
    }),
  });
