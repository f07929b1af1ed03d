import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decodeJwt, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import Provider, { type Configuration } from 'oidc-provider';

export interface OidcPerson {
  sub: string;
  [claim: string]: unknown;
}

export interface OidcServer {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The user who is logged in without a prompt. */
  person: OidcPerson | undefined;
  /** The users who have a button on the provider's page. */
  people: OidcPerson[];
  /** Replaces the ID token in responses of the token endpoint. */
  alterIdToken: ((idToken: string) => string | Promise<string>) | undefined;
  /** Replaces the provider's key: only the new one is published and signs. */
  replaceKey(): Promise<void>;
  /** Signs a token with the provider's key. */
  sign(claims: JWTPayload, header?: { alg?: string; typ?: string }): Promise<string>;
  /** Lets every request wait, as a hung provider does. */
  hang(): void;
  /** Refuses connections until `resume`. */
  stop(): Promise<void>;
  resume(): Promise<void>;
  close(): Promise<void>;
}

interface Options {
  /** The origin of Gradeway. */
  origin: string;
  /** Its id of the provider. */
  id: string;
  /** The signature of ID tokens. */
  algorithm?: 'RS256' | 'PS256' | 'ES256' | 'EdDSA' | 'HS256';
}

/** Starts an OpenID provider on the loopback host `localhost`, which is a different site from `127.0.0.1`. */
export async function startOidcServer({ origin, id, algorithm = 'RS256' }: Options): Promise<OidcServer> {
  const [clientId, clientSecret] = [
    'gradeway',
    `a secret of ${id}, long enough to sign with: ${randomUUID()}`,
  ];
  const keyAlgorithm = algorithm === 'HS256' ? 'RS256' : algorithm;
  const newKey = async () => {
    const { privateKey, publicKey } = await generateKeyPair(keyAlgorithm, { extractable: true });
    const traits = { kid: randomUUID(), alg: keyAlgorithm, use: 'sig' };
    return { privateKey, publicKey, ...traits, jwk: { ...(await exportJWK(privateKey)), ...traits } };
  };
  const first = await newKey();
  let current = first;
  const people = new Map<string, OidcPerson>();

  let isHanging = false;
  let respond: RequestListener = () => {};
  const listener: RequestListener = (req, res) => {
    if (!isHanging) respond(req, res);
  };
  let http: Server;
  const listen = (port: number) =>
    new Promise<number>((resolve) => {
      http = createServer(listener).listen(port, 'localhost', () => {
        resolve((http.address() as AddressInfo).port);
      });
    });
  const stop = () =>
    new Promise<void>((resolve) => {
      http.closeAllConnections();
      http.close(() => resolve());
    });
  const port = await listen(0);
  const issuer = `http://localhost:${port}`;

  const callback = `${origin}/session/sso/${id}/callback`;
  const configuration: Configuration = {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [callback],
        post_logout_redirect_uris: [`${origin}/login`],
        backchannel_logout_uri: `${origin}/api/v3/sso/${id}/backchannel-logout`,
        backchannel_logout_session_required: true,
        id_token_signed_response_alg: algorithm,
      },
    ],
    jwks: { keys: [first.jwk] },
    cookies: { keys: [randomUUID()] },
    claims: { email: ['email', 'email_verified'], profile: ['name', 'given_name', 'family_name', 'groups'] },
    enabledJWA: { idTokenSigningAlgValues: ['RS256', 'PS256', 'ES256', 'EdDSA', 'HS256'] },
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: {
        enabled: true,
        // The default page loads a font from another host.
        logoutSource(ctx, form) {
          ctx.body = `<!doctype html><title>Provider</title><link rel="icon" href="data:,">${form}
            <button form="op.logoutForm" name="logout" value="yes">Yes</button>`;
        },
      },
    },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    pkce: { required: () => true },
    // By default it refuses to call loopback addresses.
    fetch: (url, options) => fetch(url, { ...options, dispatcher: undefined } as RequestInit),
    findAccount: (_ctx, sub) => ({ accountId: sub, claims: async () => people.get(sub) ?? { sub } }),
    async loadExistingGrant({ oidc: { provider, client, session } }) {
      const grant = new provider.Grant({
        ...(client && { clientId: client.clientId }),
        ...(session?.accountId && { accountId: session.accountId }),
      });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  };
  const provider = new Provider(issuer, configuration);

  const server: OidcServer = {
    ...{ issuer, clientId, clientSecret },
    person: undefined,
    people: [],
    alterIdToken: undefined,
    async replaceKey() {
      current = await newKey();
    },
    sign: (claims, header = {}) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: keyAlgorithm, kid: current.kid, ...header })
        .sign(current.privateKey),
    hang() {
      isHanging = true;
    },
    stop,
    async resume() {
      isHanging = false;
      if (!http.listening) await listen(port);
    },
    close: stop,
  };

  provider.use(async (ctx, next) => {
    if (ctx.path.startsWith('/interaction/')) {
      const chosen = ctx.query.sub ?? server.person?.sub;
      const person = [server.person, ...server.people].find((each) => each?.sub === chosen);
      if (person) {
        people.set(person.sub, person);
        const login = { accountId: person.sub };
        ctx.redirect(await provider.interactionResult(ctx.req, ctx.res, { login }));
      } else {
        ctx.type = 'html';
        ctx.body = pageOf(server.people);
      }
      return;
    }
    await next();
    const { alterIdToken } = server;
    const body = ctx.body as { id_token?: string } | undefined;
    if (ctx.path === '/token' && body?.id_token) {
      if (current !== first) body.id_token = await server.sign(decodeJwt(body.id_token));
      if (alterIdToken) body.id_token = await alterIdToken(body.id_token);
    }
    if (ctx.path === '/jwks' && current !== first) {
      const { kid, alg, use, publicKey } = current;
      ctx.body = { keys: [{ ...(await exportJWK(publicKey)), kid, alg, use }] };
    }
  });
  respond = provider.callback();
  return server;
}

const pageOf = (people: OidcPerson[]): string => {
  const buttons = people.map(({ sub }) => `<button name="sub" value="${sub}">${sub}</button>`);
  return `<!doctype html><title>Provider</title><link rel="icon" href="data:,"><form>${buttons.join('')}</form>`;
};
