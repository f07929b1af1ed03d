import { connect, type Socket } from 'node:net';

export interface HalfSentRequest {
  socket: Socket;
  /** The bytes that the server has sent so far. */
  answer(): string;
  /** Settles when the connection has been closed: with the status of the response and the duration of the connection. */
  ended: Promise<{ status: number | undefined; ms: number }>;
}

/** Sends the head of a POST and the beginning of its body, and leaves the connection open. */
export function sendHalf(
  baseUrl: string,
  path: string,
  headers: Record<string, string>,
  begin: string,
): HalfSentRequest {
  const { hostname, port, host } = new URL(baseUrl);
  const startedAt = performance.now();
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.on('data', (chunk) => (text += chunk)).on('error', () => {});
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${begin}`);
  const ended = new Promise<{ status: number | undefined; ms: number }>((resolve) => {
    socket.once('close', () => {
      const status = /^HTTP\/1.1 (\d+)/.exec(text)?.[1];
      resolve({
        status: status === undefined ? undefined : Number(status),
        ms: performance.now() - startedAt,
      });
    });
  });
  return { socket, answer: () => text, ended };
}

/** The first half of a login. */
export const sendHalfLogin = (baseUrl: string): HalfSentRequest =>
  sendHalf(
    baseUrl,
    '/api/v3/login',
    { 'content-type': 'application/json', 'content-length': '200' },
    '{"email":"',
  );

/** The first bytes of an answer sheet. */
export const sendHalfUpload = (baseUrl: string, token: string): HalfSentRequest =>
  sendHalf(
    baseUrl,
    '/api/v3/quiz/submit-pdf',
    {
      authorization: `Bearer ${token}`,
      'content-type': 'multipart/form-data; boundary=x',
      'content-length': '1000000',
    },
    '--x\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-1.7\n',
  );
