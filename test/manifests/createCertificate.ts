import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Creates a self-signed certificate for a host in a directory, and returns the paths of its two files. */
export async function createCertificate(directory: string, host: string) {
  const [key, certificate] = [join(directory, 'tls.key'), join(directory, 'tls.crt')];
  const subject = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const files = ['-keyout', key, '-out', certificate];
  await promisify(execFile)('openssl', ['req', '-x509', ...curve, ...subject, ...files]);
  return { key, certificate };
}
