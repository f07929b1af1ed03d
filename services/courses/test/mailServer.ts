import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

/** A received message, parsed by a different library from the one that composed it. */
export interface ReceivedMail extends Email {
  to: NonNullable<Email['to']>;
  text: string;
  html: string;
  /** The recipients of the envelope. */
  recipients: string[];
  source: string;
}

/** The server's response to a message; undefined accepts it. */
type Verdict = (mail: ReceivedMail) => Promise<Error | undefined> | Error | undefined;

export interface MailServer {
  url: string;
  received: ReceivedMail[];
  /** The messages for an address. */
  mailsTo(address: string): ReceivedMail[];
  /** Sets the response to messages from now on. */
  answer(verdict: Verdict): void;
  close(): Promise<void>;
}

/** A mail server's response. 4xx is temporary. */
export const smtpError = (responseCode: number, message: string): Error =>
  Object.assign(new Error(message), { responseCode });

/** Starts a real mail server on this machine that keeps the messages it accepts. */
export async function startMailServer(): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  let verdict: Verdict = () => undefined;
  const smtp = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, session, callback) {
      const accept = async () => {
        const source = (await buffer(stream)).toString();
        const recipients = session.envelope.rcptTo.map(({ address }) => address);
        const email = await PostalMime.parse(source);
        const { to = [], text = '', html = '' } = email;
        const mail = { ...email, to, text, html, recipients, source };
        const refusal = await verdict(mail);
        if (refusal) throw refusal;
        received.push(mail);
      };
      accept().then(() => callback(), callback);
    },
  });
  smtp.on('error', () => {});
  await new Promise<void>((resolve) => {
    smtp.listen(0, '127.0.0.1', resolve);
  });
  const { port } = smtp.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    mailsTo: (address) => received.filter(({ recipients }) => recipients.includes(address)),
    answer(next) {
      verdict = next;
    },
    close: () =>
      new Promise<void>((resolve) => {
        smtp.close(resolve);
      }),
  };
}

/** A header of a message, by its name in lower case. */
export const headerOf = (mail: ReceivedMail, name: string): string | undefined =>
  mail.headers.find(({ key }) => key === name)?.value;
