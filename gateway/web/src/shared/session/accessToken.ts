export type Role = 'user' | 'instructor' | 'admin';

/** The claims of an access token that the application reads. The services verify the token. */
export interface AccessToken {
  text: string;
  personId: number;
  role: Role;
  /** Milliseconds since 1970, by auth's clock. */
  expiresAt: number;
}

/** Reads the claims of a JWT without verifying it. */
export function readAccessToken(text: string): AccessToken {
  const payload = text.split('.')[1];
  if (payload === undefined) throw new Error('The access token is not a JWT');
  const claims = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')));
  return { text, personId: Number(claims.sub), role: claims.role, expiresAt: claims.exp * 1000 };
}
