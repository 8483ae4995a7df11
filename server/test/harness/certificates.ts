import "reflect-metadata";
import { webcrypto } from "node:crypto";
import * as x509 from "@peculiar/x509";

x509.cryptoProvider.set(webcrypto as never);

const EC = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const DAY_MS = 86_400_000;

/** What is wrong (or not) with the certificate a target shows. `untrusted`: of an unknown CA; `incomplete`: sent without its intermediate. */
export type CertificateFlavour =
  | "valid"
  | "expired"
  | "wrong-host"
  | "self-signed"
  | "not-yet-valid"
  | "expiring"
  | "untrusted"
  | "incomplete";

/** PEM: `cert` is what a server sends (leaf first), `key` its private key. */
export interface IssuedCertificate {
  cert: string;
  key: string;
}

export interface TestCa {
  /** PEM of the root, to be trusted by the client under test. */
  pem: string;
  issue(flavour: CertificateFlavour, names?: string[]): Promise<IssuedCertificate>;
}

interface Issuer {
  cert: x509.X509Certificate;
  keys: CryptoKeyPair;
}

type CryptoKeyPair = { privateKey: never; publicKey: never };

const generateKeys = () =>
  webcrypto.subtle.generateKey(EC, true, ["sign", "verify"]) as unknown as Promise<CryptoKeyPair>;

const exportKey = async (keys: CryptoKeyPair) => {
  const der = await webcrypto.subtle.exportKey("pkcs8", keys.privateKey);
  const base64 = Buffer.from(der).toString("base64").replace(/.{64}/g, "$&\n");
  return `-----BEGIN PRIVATE KEY-----\n${base64}\n-----END PRIVATE KEY-----\n`;
};

const caExtensions = () => [
  new x509.BasicConstraintsExtension(true, undefined, true),
  new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
];

/** Validity of each flavour in days from now. */
function validity(flavour: CertificateFlavour): { notBefore: Date; notAfter: Date } {
  const days: [number, number] =
    flavour === "expired"
      ? [-60, -3]
      : flavour === "not-yet-valid"
        ? [3, 60]
        : flavour === "expiring"
          ? [-60, 5]
          : [-1, 90];
  return {
    notBefore: new Date(Date.now() + days[0] * DAY_MS),
    notAfter: new Date(Date.now() + days[1] * DAY_MS),
  };
}

function alternativeNames(names: string[]): x509.SubjectAlternativeNameExtension {
  return new x509.SubjectAlternativeNameExtension(
    names.map((value) => ({ type: /^[\d.]+$|:/.test(value) ? ("ip" as const) : ("dns" as const), value })),
  );
}

async function makeRoot(name: string): Promise<Issuer> {
  const keys = await generateKeys();
  const cert = await x509.X509CertificateGenerator.createSelfSigned({
    name: `CN=${name}`,
    notBefore: new Date(Date.now() - 365 * DAY_MS),
    notAfter: new Date(Date.now() + 3650 * DAY_MS),
    signingAlgorithm: EC,
    keys: keys as never,
    extensions: caExtensions(),
  });
  return { cert, keys };
}

async function sign(issuer: Issuer, subject: string, more: object): Promise<Issuer> {
  const keys = await generateKeys();
  const cert = await x509.X509CertificateGenerator.create({
    subject,
    issuer: issuer.cert.subject,
    publicKey: keys.publicKey,
    signingKey: issuer.keys.privateKey,
    signingAlgorithm: EC,
    notBefore: new Date(Date.now() - 365 * DAY_MS),
    notAfter: new Date(Date.now() + 1825 * DAY_MS),
    ...more,
  });
  return { cert, keys };
}

/** A root and an intermediate, made on the spot; leaves for localhost, 127.0.0.1 and ::1 by default. */
async function makeCa(name = "Vedette Test Root"): Promise<TestCa> {
  const root = await makeRoot(name);
  const intermediate = await sign(root, `CN=${name} Intermediate`, { extensions: caExtensions() });
  return {
    pem: root.cert.toString("pem"),
    async issue(flavour, names = ["localhost", "127.0.0.1", "::1"]) {
      if (flavour === "untrusted") return (await makeCa("Unknown Root")).issue("valid", names);
      const shown = flavour === "wrong-host" ? ["elsewhere.test"] : names;
      const more = { ...validity(flavour), extensions: [alternativeNames(shown)] };
      if (flavour === "self-signed") {
        const keys = await generateKeys();
        const params = { name: "CN=self-signed", keys: keys as never, signingAlgorithm: EC, ...more };
        const cert = await x509.X509CertificateGenerator.createSelfSigned(params);
        return { cert: `${cert.toString("pem")}\n`, key: await exportKey(keys) };
      }
      const leaf = await sign(intermediate, `CN=${shown[0]}`, more);
      const chain = flavour === "incomplete" ? [leaf] : [leaf, intermediate];
      const cert = chain.map((one) => `${one.cert.toString("pem")}\n`).join("");
      return { cert, key: await exportKey(leaf.keys) };
    },
  };
}

let shared: Promise<TestCa> | undefined;

/** One CA a test process. */
export function testCa(): Promise<TestCa> {
  shared ??= makeCa();
  return shared;
}
