import { type ClientRequest, request } from 'node:http';

interface Options {
  url: string;
  token: string;
  /** Fields that precede the file. */
  fields?: Record<string, string>;
  /** Form field of the file. */
  field: string;
  /** Announced size of the body; undefined for a chunked body. */
  bytes?: number;
}

/** An upload whose body a test sends piece by piece. */
export interface SlowUpload {
  /** Resolves as soon as there is a response, whether or not the body has been sent. */
  answer: Promise<{ status: number; headers: Record<string, unknown>; body: string }>;
  /** Sends bytes of the file; resolves once they have left. */
  send(bytes: Uint8Array | string): Promise<void>;
  /** Ends a chunked form. */
  end(): void;
  abort(): void;
}

const boundary = 'a-boundary-of-the-tests';

/** Starts a multipart form and sends its fields and the headers of its file. */
export function startSlowUpload({ url, token, fields = {}, field, bytes }: Options): SlowUpload {
  const req = request(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': `multipart/form-data; boundary=${boundary}`,
      ...(bytes === undefined ? {} : { 'content-length': bytes }),
    },
  });
  for (const [name, value] of Object.entries(fields))
    req.write(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`);
  const disposition = `Content-Disposition: form-data; name="${field}"; filename="slow.pdf"`;
  req.write(`--${boundary}\r\n${disposition}\r\nContent-Type: application/pdf\r\n\r\n`);
  const answer = answerOf(req);
  // A test may abort an upload without waiting for its response.
  answer.catch(() => {});
  return {
    answer,
    send: (part) =>
      new Promise((resolve) => {
        req.write(part, () => resolve());
      }),
    end: () => req.end(`\r\n--${boundary}--\r\n`),
    abort: () => void req.destroy(),
  };
}

function answerOf(req: ClientRequest): SlowUpload['answer'] {
  return new Promise((resolve, reject) => {
    req.on('error', reject);
    req.on('response', async (res) => {
      let body = '';
      for await (const chunk of res.setEncoding('utf8')) body += chunk;
      resolve({ status: res.statusCode ?? 0, headers: res.headers, body });
    });
  });
}
