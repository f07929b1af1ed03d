import { setTimeout as sleep } from 'node:timers/promises';
import { openMailTransport } from '@gradeway/shared/mail/mailTransport';
import type { Logger } from '@gradeway/shared/process/logger';

interface Recipient {
  email: string | null;
  mobile: string | null;
}

/** Delivers one-time login codes to account owners. */
export interface LoginCodeDelivery {
  canReach(recipient: Recipient): boolean;
  deliver(code: string, recipient: Recipient): Promise<void>;
  close(): void;
}

interface MailOptions {
  /** `smtp://user:password@mail.example:587`; `smtps://` for TLS from the first byte. */
  url: string;
  from: string;
}

// Mail servers defer unknown senders for a few seconds (greylisting), and a user is waiting for the code.
const retryDelaysMs = [1_000, 4_000];

/** Delivers codes by email. Fails if the mail server rejects the mail permanently or if every retry fails. */
export function deliverByMail({ url, from }: MailOptions): LoginCodeDelivery {
  const transport = openMailTransport({ url, from, maxConnections: 3, timeoutMs: 10_000 });
  return {
    canReach: ({ email }) => email !== null,
    async deliver(code, { email }) {
      const to = { name: '', address: email ?? '' };
      const message = { to, subject: 'Your login code', text: mailText(code) };
      for (const delayMs of retryDelaysMs) {
        try {
          await transport.sendMail(message);
          return;
        } catch (error) {
          if (isPermanent(error)) throw error;
          await sleep(delayMs);
        }
      }
      await transport.sendMail(message);
    },
    close: () => transport.close(),
  };
}

/** Writes codes to the log (D16), so that Gradeway can be tried without a mail server. */
export function deliverToLog(log: Logger): LoginCodeDelivery {
  return {
    canReach: () => true,
    async deliver(code, { email, mobile }) {
      log.warn({ to: email ?? mobile, code }, 'SMTP_URL is not set; login code written to the log');
    },
    close() {},
  };
}

const isPermanent = (error: unknown): boolean =>
  ((error as { responseCode?: number }).responseCode ?? 0) >= 500;

const mailText = (code: string) => `Your login code is ${code}

It is valid for ten minutes and for one login. If you did not request it, ignore this email.
`;
