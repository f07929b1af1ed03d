import { type LookupAddress, lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAllowedAddress } from '../domain/publicAddress.ts';

interface Config {
  allowHttp: boolean;
  allowPrivateAddresses: boolean;
}

/** Returns the host name or literal address of a URL, without the brackets of IPv6. */
const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');

/** None of a host's addresses is allowed for webhooks. */
export class AddressNotAllowed extends Error {}

const lookupTimeoutMs = 3_000;

/**
 * Protects against server-side request forgery. URLs are checked when a subscription is created, for early feedback,
 * and again for each connection, on the exact address being connected to: the owner of a name can change its address.
 */
export class SsrfGuard {
  readonly #config: Config;

  constructor(config: Config) {
    this.#config = config;
  }

  /** Checks a URL without resolving its host. Returns undefined if it is allowed. */
  findUrlViolation(text: string): string | undefined {
    // The URL parser removes line breaks and tabs, so they are rejected before parsing.
    if (/\p{Cc}/u.test(text) || !URL.canParse(text)) return 'The url must be a URL.';
    const url = new URL(text);
    const schemes = this.#config.allowHttp ? ['https:', 'http:'] : ['https:'];
    if (!schemes.includes(url.protocol)) return 'The url must start with https://.';
    if (url.username !== '' || url.password !== '') return 'The url must not contain credentials.';
    if (url.hash !== '') return 'The url must not contain a fragment.';
    if (isIP(hostOf(url)) && !this.#allows(hostOf(url))) return notPublic;
    return undefined;
  }

  /** Performs the same check, and also checks the addresses that the host resolves to. */
  async findReceiverViolation(text: string): Promise<string | undefined> {
    const violation = this.findUrlViolation(text);
    if (violation !== undefined || this.#config.allowPrivateAddresses) return violation;
    const host = hostOf(new URL(text));
    const isAllowed = new Promise<boolean>((resolve) => {
      this.lookup(host, { all: true }, (error) => resolve(!error));
    });
    const timeout = sleep(lookupTimeoutMs, false, { ref: false });
    return (await Promise.race([isAllowed, timeout])) ? undefined : notPublic;
  }

  /**
   * Replaces Node.js's lookup for a connection, and returns only allowed addresses. Node.js does not call it for
   * literal addresses, which `findUrlViolation` checks.
   */
  readonly lookup: LookupFunction = (host, options, callback) => {
    lookup(host, { ...options, all: true }, (error, found: LookupAddress[]) => {
      if (error) return callback(error, '');
      const allowed = found.filter(({ address }) => this.#allows(address));
      const [first] = allowed;
      if (!first) return callback(new AddressNotAllowed('the host resolves to no allowed address'), '');
      if (options.all) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
  };

  #allows(address: string): boolean {
    return isAllowedAddress(address, this.#config.allowPrivateAddresses);
  }
}

const notPublic = 'The url must lead to a public address.';
