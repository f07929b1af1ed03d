import { type LookupAddress, lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAllowedAddress } from '../domain/publicAddress.ts';

export interface ReceiverConfig {
  allowHttp: boolean;
  allowPrivateAddresses: boolean;
}

/** The name or literal address of a URL, without the brackets of IPv6. */
const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');

/** A name that leads to no address that webhooks may go to. */
export class AddressNotAllowed extends Error {}

const longestLookupMs = 3_000;

/**
 * Where webhooks may go. Asked when a subscription is made, so that mistakes show at once, and again for each
 * connection about the very address that is connected to: what a name leads to changes at its owner's will.
 */
export class SsrfGuard {
  readonly #config: ReceiverConfig;

  constructor(config: ReceiverConfig) {
    this.#config = config;
  }

  /** What speaks against a URL as it is written; undefined when nothing does. */
  complaintAbout(text: string): string | undefined {
    if (!URL.canParse(text)) return 'The url must be a URL.';
    const url = new URL(text);
    const schemes = this.#config.allowHttp ? ['https:', 'http:'] : ['https:'];
    if (!schemes.includes(url.protocol)) return 'The url must start with https://.';
    if (url.username !== '' || url.password !== '') return 'The url must not contain credentials.';
    if (url.hash !== '') return 'The url must not contain a fragment.';
    if (isIP(hostOf(url)) && !this.#allows(hostOf(url))) return notPublic;
    return undefined;
  }

  /** The same, and asks where its name leads at the moment. */
  async complaintAboutReceiver(text: string): Promise<string | undefined> {
    const complaint = this.complaintAbout(text);
    if (complaint !== undefined || this.#config.allowPrivateAddresses) return complaint;
    const host = hostOf(new URL(text));
    const reachable = new Promise<boolean>((resolve) => {
      this.lookup(host, { all: true }, (error) => resolve(!error));
    });
    const outOfTime = sleep(longestLookupMs, false, { ref: false });
    return (await Promise.race([reachable, outOfTime])) ? undefined : notPublic;
  }

  /**
   * In place of Node's own look-up for a connection: finds only addresses that are allowed. Not called for a literal
   * address, which `complaintAbout` judges.
   */
  readonly lookup: LookupFunction = (host, options, callback) => {
    lookup(host, { ...options, all: true }, (error, found: LookupAddress[]) => {
      if (error) return callback(error, '');
      const allowed = found.filter(({ address }) => this.#allows(address));
      const [first] = allowed;
      if (!first) return callback(new AddressNotAllowed('the name leads to no address that is allowed'), '');
      if (options.all) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
  };

  #allows(address: string): boolean {
    return isAllowedAddress(address, this.#config.allowPrivateAddresses);
  }
}

const notPublic = 'The url must lead to a public address.';
