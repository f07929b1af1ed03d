import { roles } from '@gradeway/shared/auth/roles';
import { fieldName, nullable, requiredMessage, string, title } from '@gradeway/shared/http/validation';
import { withoutUndefined } from '@gradeway/shared/http/withoutUndefined';
import { z } from 'zod';
import { isCommonPassword } from '../domain/commonPasswords.ts';
import { deviceTypes } from '../domain/device.ts';
import {
  isEmail,
  isInternationalMobile,
  normalizeEmail,
  normalizeMobile,
} from '../domain/loginIdentifier.ts';
import { isBlank, maxPasswordLength, minPasswordLength } from '../domain/passwordHasher.ts';

const longestText = 255;
// Longer than any account's password: a password to verify does not have to satisfy the rules for a new one.
const longestGuess = 1_000;

const formatMessage = ({ path }: { path?: readonly PropertyKey[] | undefined }) =>
  `The ${fieldName(path)} format is invalid.`;

const email = title(longestText)
  .transform(normalizeEmail)
  .refine(isEmail, {
    error: (issue) => `The ${fieldName(issue.path)} must be a valid email address.`,
  });

const mobile = title(longestText)
  .transform(normalizeMobile)
  .refine(isInternationalMobile, { error: formatMessage });

const notEmpty = (schema: z.ZodType<string>) =>
  schema.refine((value) => value !== '', { error: (issue) => requiredMessage(fieldName(issue.path)) });

const password = notEmpty(string(maxPasswordLength))
  .refine((value) => value === '' || [...value].length >= minPasswordLength, {
    error: (issue) => `The ${fieldName(issue.path)} must be at least ${minPasswordLength} characters.`,
  })
  .refine((value) => value === '' || !isBlank(value), {
    error: (issue) => `The ${fieldName(issue.path)} must not consist of spaces alone.`,
  })
  .refine((value) => [...value].length < minPasswordLength || !isCommonPassword(value), {
    error: (issue) => `The ${fieldName(issue.path)} is too common.`,
  });

const identifier = title(longestText);

const passwordGuess = notEmpty(string(longestGuess));
const totp = nullable(title(longestText));

export const credentialFields = { email: identifier, password: passwordGuess, totp };
export const codeFields = { email: identifier, code: title(longestText), totp };
export const codeRequestFields = z.object({ email: identifier });

/** Device fields. An unknown type has already become `web` (D9). */
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

export const reauthenticationFields = z.object({ password: passwordGuess });
export const totpCodeFields = z.object({ code: title(longestText) });

const name = title(longestText);
// People with a single name have an empty last name (D56).
const lastName = string(longestText)
  .nullable()
  .transform((text) => text?.trim() ?? '')
  .optional();
const role = z.enum(roles);
const flag = z.boolean();

/** A new account. */
export const userFields = z
  .object({
    first_name: name,
    last_name: lastName,
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
    lastName: fields.last_name ?? '',
    email: fields.email ?? null,
    mobile: fields.mobile ?? null,
    password: fields.password,
    role: fields.role,
    isApproved: fields.is_approved,
    isBlocked: false,
    isVerified: fields.is_verified,
    isVerifiedMobile: fields.is_verified_mobile,
  }));

/** Changes to an account. An omitted field stays unchanged; null clears a last name, email address or mobile number. */
export const userChanges = z
  .object({
    first_name: name.optional(),
    last_name: lastName,
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

const shortestSearch = 2;

export const instructorFilter = z.object({
  search: title(longestText).refine((term) => term === '' || [...term].length >= shortestSearch, {
    error: (issue) => `The ${fieldName(issue.path)} must be at least ${shortestSearch} characters.`,
  }),
});

export const deviceChanges = z
  .object({ is_disabled: flag })
  .transform(({ is_disabled }) => ({ isDisabled: is_disabled }));
