import type { ImportedUser as ImportedUserMessage } from '@gradeway/proto/auth';
import { checkInput } from '@gradeway/shared/http/validation';
import type { ImportedUser } from '../domain/planImportedUser.ts';
import { userFields } from '../http/schemas.ts';

interface FieldMessage {
  field: string;
  message: string;
}

interface ParsedUser {
  imported?: ImportedUser;
  /** Set instead if the account is invalid. */
  refusal?: { line: number; action: string; messages: FieldMessage[] };
}

/** Validates an imported account by the same rules as one created by an administrator. */
export function parseImportedUser(user: ImportedUserMessage): ParsedUser {
  if (user.isDeleted) return { imported: deletedUser(user) };
  const checked = checkInput(userFields, {
    first_name: user.firstName,
    last_name: user.lastName,
    email: user.email,
    mobile: user.mobile,
    role: user.role,
    // An import can omit the password, so this placeholder satisfies the rule that requires one.
    password: user.password || 'none is given',
  });
  if (checked.errors)
    return refuse(
      user,
      Object.entries(checked.errors).flatMap(([field, messages]) =>
        messages.map((message) => ({ field, message })),
      ),
    );
  const { firstName, lastName, email, mobile, role } = checked.value;
  if (role === 'admin')
    return refuse(user, [{ field: 'role', message: 'An import cannot create administrators.' }]);
  const { line, sourcedId, isDeleted, isEnabled } = user;
  const profile = { firstName, lastName, email, mobile, role };
  return { imported: { line, sourcedId, isDeleted, ...profile, isEnabled, password: user.password || null } };
}

const deletedUser = ({ line, sourcedId }: ImportedUserMessage): ImportedUser => ({
  line,
  sourcedId,
  isDeleted: true,
  firstName: '',
  lastName: '',
  email: null,
  mobile: null,
  role: 'user',
  isEnabled: undefined,
  password: null,
});

const refuse = ({ line }: ImportedUserMessage, messages: FieldMessage[]): ParsedUser => ({
  refusal: { line, action: 'error', messages },
});
