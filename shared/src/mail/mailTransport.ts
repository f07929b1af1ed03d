import { createTransport } from 'nodemailer';

interface Options {
  /** `smtp://user:password@mail.example:587`; `smtps://` for TLS from the first byte. */
  url: string;
  /** The default sender. */
  from: string;
  maxConnections: number;
  /** How long the mail server may stay silent. */
  timeoutMs: number;
}

export type MailTransport = ReturnType<typeof openMailTransport>;

/**
 * Opens a pool of connections to a mail server. Connections are opened when needed. A message cannot make the transport
 * read files or URLs.
 */
export function openMailTransport({ url, from, maxConnections, timeoutMs }: Options) {
  const connectMs = Math.min(timeoutMs, 5_000);
  return createTransport(
    {
      url,
      pool: true,
      maxConnections,
      connectionTimeout: connectMs,
      greetingTimeout: connectMs,
      dnsTimeout: connectMs,
      socketTimeout: timeoutMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from },
  );
}
