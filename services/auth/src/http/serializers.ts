import type { Clock } from '@gradeway/shared/http/timestamps';
import type { ServiceAccount } from '../apiTokens/domain/serviceAccount.ts';
import type { Device } from '../domain/device.ts';
import type { LoginResult } from '../domain/openSession.ts';
import type { RefreshedToken } from '../domain/refreshSession.ts';
import type { ListedSession } from '../domain/session.ts';
import { fullName, missingData, type User } from '../domain/user.ts';
import { unixSeconds } from '../tokens/accessTokenIssuer.ts';
import type { VerifiedReceipt } from '../tokens/receipts.ts';

/** The login result of the specification. */
export function loginView({ user, sessionId, changePassword, cartItems, ...token }: LoginResult) {
  const missing = missingData(user);
  return {
    ...tokenView(token),
    ss_record: sessionId,
    missed_data: missing.length > 0,
    array_of_missing_data: missing,
    change_password: changePassword,
    cart_items: cartItems,
    is_verified: user.isVerified,
    is_verified_mobile: user.isVerifiedMobile,
    data: user.id,
    mobile: user.mobile ?? '',
    role: user.role,
    is_approved: user.isApproved,
  };
}

export const tokenView = ({ accessToken, expiresAt }: RefreshedToken) => ({
  token_type: 'Bearer',
  access_token: accessToken,
  expires_in: unixSeconds(expiresAt),
});

export const userView = (user: User, clock: Clock) => ({
  id: user.id,
  first_name: user.firstName,
  last_name: user.lastName,
  name: fullName(user),
  email: user.email,
  mobile: user.mobile,
  role: user.role,
  is_approved: user.isApproved,
  is_blocked: user.isBlocked,
  is_verified: user.isVerified,
  is_verified_mobile: user.isVerifiedMobile,
  created_at: clock.format(user.createdAt),
});

/** A service account as its own programs see it: an administrator who cannot log in. */
export const serviceUserView = ({ id, name, isDisabled, createdAt }: ServiceAccount, clock: Clock) => ({
  id,
  first_name: name,
  last_name: '',
  name,
  email: null,
  mobile: null,
  role: 'admin',
  is_approved: true,
  is_blocked: isDisabled,
  is_verified: false,
  is_verified_mobile: false,
  created_at: clock.format(createdAt),
});

/** An instructor's account, as colleagues see it. */
export const instructorView = (user: User) => ({
  id: user.id,
  name: fullName(user),
  email: user.email ?? '',
});

export const deviceView = (device: Device, clock: Clock) => ({
  id: device.id,
  device_type: device.type,
  device_name: device.name,
  last_login_at: clock.format(device.lastLoginAt),
  is_disabled: device.isDisabled,
});

export const sessionView = (session: ListedSession, currentId: number, clock: Clock) => ({
  id: session.id,
  device_type: session.deviceType,
  device_name: session.deviceName,
  created_at: clock.format(session.createdAt),
  is_current: session.id === currentId,
});

export const receiptView = (receipt: VerifiedReceipt, clock: Clock) => ({
  kind: receipt.kind,
  submission_id: receipt.submissionId,
  student_id: receipt.studentId,
  files: receipt.files,
  received_at: clock.format(new Date(receipt.receivedAt)),
  deadline: receipt.deadline === null ? null : clock.format(new Date(receipt.deadline)),
  issued_at: clock.format(receipt.issuedAt),
});
