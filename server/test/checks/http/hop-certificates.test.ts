import { expect, test } from "vitest";
import { authority, leaf, type Made, startChainServer } from "../../harness/chains.ts";
import { check } from "../factories.ts";

const DAY_MS = 86_400_000;
const NAMES = ["localhost", "127.0.0.1"];

/** A server that answers each request with this. */
const answering = (chain: Made[], answer: string) =>
  startChainServer(chain, {}, (socket) => socket.once("data", () => socket.end(answer)));

const OK = "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";
const to = (url: string) => `HTTP/1.1 302 Found\r\nlocation: ${url}\r\ncontent-length: 0\r\n\r\n`;

/** `localhost`, which leads on to 127.0.0.1: two hosts, with a certificate each. */
async function twoHops({ first, last, host = "localhost" }: { first: number; last: number; host?: string }) {
  const root = await authority("Root", { days: 3000 });
  const own = await leaf([host], { days: first, by: root });
  const end = await answering([await leaf(NAMES, { days: last, by: root })], OK);
  const start = await answering([own], to(`https://127.0.0.1:${end}/`));
  return { url: `https://localhost:${start}/`, network: { ca: [root.pem] }, end };
}

test.each([
  [20, 80, 20, "localhost"],
  [80, 20, 20, "127.0.0.1"],
])("of hops with %d and %d days left, %d count, and are those of %s", async (first, last, days, host) => {
  const { url, network } = await twoHops({ first, last });
  const { verdict, certificate } = await check(url, { network });
  expect(verdict).toBe("ok");
  expect(certificate).toMatchObject({ valid: true, host });
  expect(Math.floor(((certificate?.expiresAt ?? 0) - Date.now()) / DAY_MS)).toBe(days);
});

test("of two servers behind one name, the certificate that ends first counts", async () => {
  const root = await authority("Root", { days: 3000 });
  const end = await answering([await leaf(NAMES, { days: 300, by: root })], OK);
  const start = await answering([await leaf(NAMES, { days: 5, by: root })], to(`https://localhost:${end}/`));
  const { certificate } = await check(`https://localhost:${start}/`, { network: { ca: [root.pem] } });
  expect(Math.floor(((certificate?.expiresAt ?? 0) - Date.now()) / DAY_MS)).toBe(5);
});

test("a single host is not named", async () => {
  const root = await authority("Root", { days: 3000 });
  const port = await answering([await leaf(NAMES, { days: 80, by: root })], OK);
  const { certificate } = await check(`https://localhost:${port}/`, { network: { ca: [root.pem] } });
  expect(certificate?.valid).toBe(true);
  expect(certificate).not.toHaveProperty("host");
});

test("a later hop whose certificate is not valid is named, and counts", async () => {
  const { url, network } = await twoHops({ first: 80, last: -3 });
  const outcome = await check(url, { network });
  expect(outcome).toMatchObject({
    verdict: "failed",
    reasonCode: "certificate",
    certificate: { valid: false, invalidCode: "expired", host: "127.0.0.1" },
  });
  expect(outcome.reason).toMatch(/^127\.0\.0\.1: The certificate expired on /);
});

test("one that is accepted without being valid comes before one that ends first", async () => {
  const { url, network } = await twoHops({ first: 80, last: 20, host: "elsewhere.test" });
  expect(await check({ url, ignoreCertificate: true }, { network })).toMatchObject({
    verdict: "ok",
    certificate: { valid: false, invalidCode: "host_mismatch", host: "localhost" },
  });
});

test("nothing is said of certificates while a later hop cannot be reached", async () => {
  const root = await authority("Root", { days: 3000 });
  const start = await answering([await leaf(NAMES, { days: 5, by: root })], to("https://127.0.0.1:1/"));
  const outcome = await check(`https://localhost:${start}/`, { network: { ca: [root.pem] } });
  expect(outcome).toMatchObject({ verdict: "failed", reasonCode: "refused", certificate: null });
});
