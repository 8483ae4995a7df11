import "reflect-metadata";
import { webcrypto } from "node:crypto";
import type { AddressInfo } from "node:net";
import tls from "node:tls";
import * as x509 from "@peculiar/x509";
import { onTestFinished } from "vitest";
import type { IssuedCertificate } from "./certificates.ts";

x509.cryptoProvider.set(webcrypto as never);

const EC = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const DAY_MS = 86_400_000;

type Keys = { privateKey: never; publicKey: never };

/** A certificate of a chain made for one test, with the key that belongs to it. */
export interface Made {
  cert: x509.X509Certificate;
  keys: Keys;
  pem: string;
}

interface Wanted {
  /** Days from now. */
  from?: number;
  days: number;
  /** Who signs it; absent: it signs itself. */
  by?: Made;
  /** Of another certificate, for a cross-signed one. */
  keys?: Keys;
  /** Absent: an EC key of 256 bits. */
  rsaBits?: number;
  hash?: "SHA-1" | "SHA-256";
}

/** A root, an intermediate or a cross-signed certificate of that name, good for so many days from now. */
export const authority = (name: string, wanted: Wanted): Promise<Made> =>
  make(name, wanted, [
    new x509.BasicConstraintsExtension(true, undefined, true),
    new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
  ]);

/** A server's own certificate; the first of `names` is its common name. */
export const leaf = (names: string[], wanted: Wanted): Promise<Made> =>
  make(names[0] ?? "", wanted, [
    new x509.SubjectAlternativeNameExtension(
      names.map((value) => ({ type: /^[\d.]+$|:/.test(value) ? ("ip" as const) : ("dns" as const), value })),
    ),
  ]);

async function make(name: string, wanted: Wanted, extensions: x509.Extension[]): Promise<Made> {
  const { from = -400, days, by, hash = "SHA-256" } = wanted;
  const keys = wanted.keys ?? (await newKeys(wanted.rsaBits, hash));
  const signer = by?.keys ?? keys;
  const cert = await x509.X509CertificateGenerator.create({
    subject: `CN=${name}`,
    issuer: by === undefined ? `CN=${name}` : by.cert.subject,
    publicKey: keys.publicKey,
    signingKey: signer.privateKey,
    signingAlgorithm: { ...(signer.privateKey as { algorithm: object }).algorithm, hash } as never,
    notBefore: new Date(Date.now() + from * DAY_MS),
    notAfter: new Date(Date.now() + days * DAY_MS + 60_000),
    extensions: [
      ...extensions,
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      await x509.AuthorityKeyIdentifierExtension.create(signer.publicKey),
    ],
  });
  return { cert, keys, pem: `${cert.toString("pem")}\n` };
}

function newKeys(rsaBits: number | undefined, hash: string): Promise<Keys> {
  const rsa = {
    name: "RSASSA-PKCS1-v1_5",
    modulusLength: rsaBits ?? 0,
    publicExponent: new Uint8Array([1, 0, 1]),
    hash,
  };
  const algorithm = rsaBits === undefined ? EC : rsa;
  return webcrypto.subtle.generateKey(algorithm as never, true, [
    "sign",
    "verify",
  ]) as unknown as Promise<Keys>;
}

/** What a server sends that has the first one's key: all of them, in this order. */
async function sent(...certificates: Made[]): Promise<IssuedCertificate> {
  const [own] = certificates;
  const der = await webcrypto.subtle.exportKey("pkcs8", own?.keys.privateKey as never);
  const base64 = Buffer.from(der as ArrayBuffer)
    .toString("base64")
    .replace(/.{64}/g, "$&\n");
  return {
    cert: certificates.map(({ pem }) => pem).join(""),
    key: `-----BEGIN PRIVATE KEY-----\n${base64}\n-----END PRIVATE KEY-----\n`,
  };
}

/** A server on 127.0.0.1 until the test ends that shows these to every client, however weak they are; its port. */
export async function startChainServer(
  chain: Made[],
  options: tls.TlsOptions = {},
  connected: (socket: tls.TLSSocket) => void = () => {},
): Promise<number> {
  const server = tls.createServer({ ...(await sent(...chain)), ciphers: "DEFAULT@SECLEVEL=0", ...options });
  const sockets = new Set<tls.TLSSocket>();
  server.on("tlsClientError", () => {});
  server.on("secureConnection", (socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    connected(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}
