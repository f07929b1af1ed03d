import { roles } from '@gradeway/shared/auth/roles';
import { fieldName, nullable, requiredMessage, string, title } from '@gradeway/shared/http/validation';
import { z } from 'zod';
import { deviceTypes } from '../domain/device.ts';
import { isEmail, isInternational, normaliseMobile } from '../domain/loginIdentifier.ts';
import { longestPassword, shortestPassword } from '../domain/passwordHasher.ts';

const longestText = 255;
// More than any password of an account has: what is compared need not keep the rule of what is set.
const longestGuess = 1_000;

const formatMessage = ({ path }: { path?: readonly PropertyKey[] | undefined }) =>
  `The ${fieldName(path)} format is invalid.`;

const email = title(longestText).refine(isEmail, {
  error: (issue) => `The ${fieldName(issue.path)} must be a valid email address.`,
});

const mobile = title(longestText)
  .transform(normaliseMobile)
  .refine(isInternational, { error: formatMessage });

const notEmpty = (schema: z.ZodType<string>) =>
  schema.refine((value) => value !== '', { error: (issue) => requiredMessage(fieldName(issue.path)) });

const password = notEmpty(string(longestPassword)).refine(
  (value) => value === '' || [...value].length >= shortestPassword,
  { error: (issue) => `The ${fieldName(issue.path)} must be at least ${shortestPassword} characters.` },
);

const identifier = title(longestText);

export const credentialFields = { email: identifier, password: notEmpty(string(longestGuess)) };
export const codeFields = { email: identifier, code: title(longestText) };
export const codeRequestFields = z.object({ email: identifier });

/** Of the device; the type was read before. */
export const deviceFields = {
  device_type: z.enum(deviceTypes),
  device_token: nullable(title(longestText)),
  device_name: nullable(title(longestText)),
};

export const passwordFields = z
  .object({ password, current_password: nullable(string(longestGuess)) })
  .transform((fields) => ({
    password: fields.password,
    currentPassword: fields.current_password ?? undefined,
  }));

const name = title(longestText);
const role = z.enum(roles);
const flag = z.boolean();

/** A new account. */
export const userFields = z
  .object({
    first_name: name,
    last_name: name,
    email: nullable(email),
    mobile: nullable(mobile),
    password,
    role,
    is_approved: flag.default(true),
    is_verified: flag.default(false),
    is_verified_mobile: flag.default(false),
  })
  .transform((fields) => ({
    firstName: fields.first_name,
    lastName: fields.last_name,
    email: fields.email ?? null,
    mobile: fields.mobile ?? null,
    password: fields.password,
    role: fields.role,
    isApproved: fields.is_approved,
    isBlocked: false,
    isVerified: fields.is_verified,
    isVerifiedMobile: fields.is_verified_mobile,
  }));

/** Changes of an account. What is not given stays; null clears an address or a number. */
export const userChanges = z
  .object({
    first_name: name.optional(),
    last_name: name.optional(),
    email: nullable(email),
    mobile: nullable(mobile),
    password: password.optional(),
    role: role.optional(),
    is_approved: flag.optional(),
    is_blocked: flag.optional(),
    is_verified: flag.optional(),
    is_verified_mobile: flag.optional(),
  })
  .transform((fields) =>
    withoutUndefined({
      firstName: fields.first_name,
      lastName: fields.last_name,
      email: fields.email,
      mobile: fields.mobile,
      password: fields.password,
      role: fields.role,
      isApproved: fields.is_approved,
      isBlocked: fields.is_blocked,
      isVerified: fields.is_verified,
      isVerifiedMobile: fields.is_verified_mobile,
    }),
  );

export const userFilter = z
  .object({ search: nullable(string(longestText)), role: nullable(role) })
  .transform(({ search, role }) => ({ search: search?.trim() || undefined, role: role ?? undefined }));

export const deviceChanges = z
  .object({ is_disabled: flag })
  .transform(({ is_disabled }) => ({ isDisabled: is_disabled }));

function withoutUndefined<T extends object>(record: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as T;
}
