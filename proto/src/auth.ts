import type { ProtoGrpcType } from './generated/auth.ts';
import { loadPackage } from './loadPackage.ts';

export type { AuthServiceClient, AuthServiceHandlers } from './generated/gradeway/auth/v1/AuthService.ts';
export type { ImportedUser__Output as ImportedUser } from './generated/gradeway/auth/v1/ImportedUser.ts';
export type { PlannedUser__Output as PlannedUser } from './generated/gradeway/auth/v1/PlannedUser.ts';
export type { Revocation__Output as Revocation } from './generated/gradeway/auth/v1/Revocation.ts';
export type { User__Output as User } from './generated/gradeway/auth/v1/User.ts';
export type { WatchRevocationsResponse__Output as WatchedRevocations } from './generated/gradeway/auth/v1/WatchRevocationsResponse.ts';

/** Client constructor of AuthService; `.service` is its definition for a server. */
export const AuthService = loadPackage<ProtoGrpcType>('gradeway/auth/v1/auth.proto').gradeway.auth.v1
  .AuthService;
