// Certificates for tests of TLS, made with openssl, which comes with PostgreSQL's packages.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Certificates {
  /** The file of the CA that signed the server's. */
  ca: string;
  /** The file of one that did not. */
  otherCa: string;
  serverKey: string;
  serverCertificate: string;
}

/** For a server of that name, and of others such as `IP:127.0.0.1`. */
export function makeCertificates(folder: string, name: string, ...others: string[]): Certificates {
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  // What a system's own settings say must not decide.
  writeFileSync(
    join(folder, 'openssl.cnf'),
    '[req]\ndistinguished_name=name\nx509_extensions=ca\n[name]\n[ca]\nbasicConstraints=critical,CA:true\n',
  );
  writeFileSync(join(folder, 'server.ext'), `subjectAltName=${[`DNS:${name}`, ...others].join(',')}\n`);
  const config = ['-config', 'openssl.cnf'];
  for (const ca of ['ca', 'other-ca'])
    openssl(
      'req',
      '-x509',
      ...newKey,
      ...config,
      '-days',
      '2',
      '-subj',
      `/CN=${ca}`,
      '-keyout',
      `${ca}.key`,
      '-out',
      `${ca}.pem`,
    );
  openssl('req', ...newKey, ...config, '-subj', `/CN=${name}`, '-keyout', 'server.key', '-out', 'server.csr');
  const signed = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'server.ext'];
  openssl('x509', '-req', '-in', 'server.csr', ...signed, '-days', '2', '-out', 'server.crt');
  return {
    ca: join(folder, 'ca.pem'),
    otherCa: join(folder, 'other-ca.pem'),
    serverKey: readFileSync(join(folder, 'server.key'), 'utf8'),
    serverCertificate: readFileSync(join(folder, 'server.crt'), 'utf8'),
  };
}
