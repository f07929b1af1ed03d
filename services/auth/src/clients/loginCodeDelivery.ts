import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@gradeway/shared/process/logger';
import { createTransport } from 'nodemailer';

/** Whom a code is for. */
interface Recipient {
  email: string | null;
  mobile: string | null;
}

/** How one-time codes reach people. */
export interface CodeDelivery {
  reaches(recipient: Recipient): boolean;
  deliver(code: string, recipient: Recipient): Promise<void>;
  close(): void;
}

interface MailOptions {
  /** `smtp://user:password@mail.example:587`; `smtps://` for TLS from the first byte. */
  url: string;
  from: string;
}

// Mail servers put strangers off for a moment (greylisting), and a person is waiting for the code.
const pausesMs = [1_000, 4_000];

/** Delivers codes by mail. Fails when the mail server refuses for good, or still after a few seconds. */
export function deliverByMail({ url, from }: MailOptions): CodeDelivery {
  const mail = createTransport(
    {
      ...{ url, pool: true, maxConnections: 3 },
      ...{ connectionTimeout: 5_000, greetingTimeout: 5_000, socketTimeout: 10_000 },
      ...{ disableFileAccess: true, disableUrlAccess: true },
    },
    { from },
  );
  return {
    reaches: ({ email }) => email !== null,
    async deliver(code, { email }) {
      const to = { name: '', address: email ?? '' };
      const message = { to, subject: 'Your login code', text: letter(code) };
      for (const pauseMs of pausesMs) {
        try {
          await mail.sendMail(message);
          return;
        } catch (error) {
          if (isFinal(error)) throw error;
          await sleep(pauseMs);
        }
      }
      await mail.sendMail(message);
    },
    close: () => mail.close(),
  };
}

/** Writes codes to the log (D16): for trying Gradeway out without a mail server. */
export function deliverToLog(log: Logger): CodeDelivery {
  return {
    reaches: () => true,
    async deliver(code, { email, mobile }) {
      log.warn({ to: email ?? mobile, code }, 'SMTP_URL is not set: here is the login code');
    },
    close() {},
  };
}

const isFinal = (error: unknown): boolean => ((error as { responseCode?: number }).responseCode ?? 0) >= 500;

const letter = (code: string) => `Your login code is ${code}

It is good for ten minutes and for one login. If you did not ask for it, ignore this mail.
`;
