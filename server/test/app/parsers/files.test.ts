import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TLSSocket } from "node:tls";
import { gzipSync } from "node:zlib";
import { afterAll } from "vitest";
import { slugOf } from "../../../src/accounts/organizations.ts";
import { createLogger } from "../../../src/app/http/server.ts";
import { certificateReport } from "../../../src/checks/certificate.ts";
import { parseJsonPath } from "../../../src/checks/find-json.ts";
import { statusInSet } from "../../../src/checks/http/http-assertion-config.ts";
import { parseResolvConf } from "../../../src/checks/name-servers.ts";
import { parseHosts } from "../../../src/checks/resolve.ts";
import { encodeRecord, findRecord } from "../../../src/engine/queue/record.ts";
import { checkBackupFile } from "../../../src/platform/database/backup-file.ts";
import { nameProblem } from "../../../src/platform/formats/name.ts";
import { normaliseUrl } from "../../../src/platform/formats/url.ts";
import { BODY_CHARACTERS, parser, row, testCosts } from "./cost.ts";

/** OpenSSL takes no longer chain of certificates. */
const CHAIN = 100 * 1024;
const FILE = 1024 * 1024;

const folder = mkdtempSync(join(tmpdir(), "vedette-costs-"));
afterAll(() => rmSync(folder, { recursive: true }));

function backup(text: string): string {
  const file = join(folder, crypto.randomUUID());
  writeFileSync(file, gzipSync(text));
  return file;
}

const BACKUP_HEADER = JSON.stringify({ format: "vedette-backup", version: 1 });

let certificates = 0;

const NETWORK = { resolver: { resolve: () => Promise.reject(new Error("unused")) }, policy: "all" as const };

/** What Node says of a certificate, made up: a real one of these would have to be signed first. */
function certificate(more: { subject?: string; subjectAltName?: string }) {
  const date = new Date();
  const own = { subject: "CN=a", issuer: "CN=b", validFromDate: date, validToDate: date, serialNumber: "1" };
  const key = { asymmetricKeyType: "ec", asymmetricKeyDetails: {} };
  return {
    ...own,
    fingerprint256: `00:${certificates++}`,
    publicKey: key,
    checkHost: () => undefined,
    checkIssued: () => false,
    ...more,
  };
}

const report = (leaf: object) =>
  certificateReport(
    {
      getPeerX509Certificate: () => leaf,
      authorizationError: `CODE_${certificates++}`,
    } as unknown as TLSSocket,
    "a.test",
    NETWORK,
  );

/** A record whose header is right about nothing but where its end is: that of the file. */
function records(length: number): Buffer {
  const header = encodeRecord({ sequence: 1, count: 1, payload: "" });
  const all = Buffer.concat(Array<Buffer>(Math.floor(length / header.length)).fill(header));
  for (let at = 0; at < all.length; at += header.length)
    all.writeUInt32BE(all.length - at - header.length, at + 16);
  return all;
}

const TEXTS = {
  spaces: () => row(" ", BODY_CHARACTERS),
  "spaces and a letter": () => `${row(" ", BODY_CHARACTERS)}a`,
  letters: () => row("a", BODY_CHARACTERS),
  "marks upon a letter": () => `a${row("\u0301\u0316", BODY_CHARACTERS)}`,
  ligatures: () => row("\ufdfa", BODY_CHARACTERS),
  dashes: () => `a${row("-", BODY_CHARACTERS)}a`,
  "dashes and letters": () => row("-a", BODY_CHARACTERS),
  dots: () => row("a.", BODY_CHARACTERS),
  slashes: () => row("/", BODY_CHARACTERS),
  "letters beyond ASCII": () => `http://${row("ä", 2000)}/`,
  "many labels": () => `http://${row("ä.", 2000)}test/`,
  "steps up": () => `http://a/${row("../", 2000)}`,
  "control characters": () => row("\u0001", BODY_CHARACTERS),
};

testCosts({
  "a certificate's names": parser((names: string) => report(certificate({ subjectAltName: names })), {
    names: () => row("DNS:a, ", 3 * CHAIN),
    "names without a comma": () => row("DNS:a", 3 * CHAIN),
    "quotes without an end": () => row('DNS:"\\"', 3 * CHAIN),
    quotes: () => row('DNS:"', 3 * CHAIN),
    backslashes: () => `DNS:"${row("\\", 3 * CHAIN)}`,
  }),
  "a certificate's subject": parser((subject: string) => report(certificate({ subject })), {
    lines: () => row("\n", CHAIN),
    parts: () => row("O=a\n", CHAIN),
  }),
  "the hosts file": parser(parseHosts, {
    spaces: () => row(" ", FILE),
    "spaces before a comment": () => `${row(" ", FILE)}#`,
    comments: () => row("#", FILE),
    "names of one address": () => `127.0.0.1 ${row("a ", FILE / 16)}`,
    "addresses of one name": () =>
      Array.from({ length: 40_000 }, (_, i) => `10.${i >> 16}.${(i >> 8) & 255}.${i & 255} a`).join("\n"),
  }),
  "resolv.conf": parser(parseResolvConf, {
    spaces: () => row(" ", FILE),
    lines: () => row(" \n", FILE),
    "spaces before a server": () => `nameserver${row(" ", FILE)}`,
    "a long server": () => `nameserver [${row("0:", FILE)}]`,
    brackets: () => `nameserver ${row("[", FILE)}${row("]:1", FILE)}`,
    servers: () => row("nameserver a\n", FILE),
    domains: () => `search ${row("a.", FILE)}`,
    "many domains": () => `search ${row("a b- ", FILE)}`,
    options: () => `options ${row("ndots:1 ", FILE)}`,
  }),
  "a backup file": parser((file: string) => checkBackupFile(file), {
    "a row of four megabytes": () => backup(`${BACKUP_HEADER}\n["${row("a", 4 * FILE)}"]\n{}\n`),
    "a first line of four megabytes": () => backup(row("[", 4 * FILE)),
    "empty lines": () => backup(row("\n", FILE / 8)),
    "a deep header": () => backup(`${row("[", FILE)}\n`),
    "a deep end": () => backup(`${BACKUP_HEADER}\n${row("[", FILE)}\n`),
  }),
  "the disk queue's records": parser((bytes: Buffer) => findRecord(bytes, 0), {
    "lengths up to the end": () => records(FILE),
    "nothing but beginnings": () => Buffer.alloc(FILE, Buffer.from([0x56, 0x51, 0x31, 0x0a])),
  }),
  "an address": parser(normaliseUrl, TEXTS),
  "a name": parser(nameProblem, TEXTS),
  "an organization's short name": parser(
    slugOf,
    Object.fromEntries(Object.entries(TEXTS).map(([name, text]) => [name, () => text().slice(0, 510)])),
  ),
  "a JSON path": parser((path: string) => parseJsonPath(path), {
    names: () => `$${row(".a", BODY_CHARACTERS)}!`,
    indexes: () => `$${row("[0]", BODY_CHARACTERS)}!`,
    quotes: () => `$${row("['a']", BODY_CHARACTERS)}!`,
    "a quote without an end": () => `$['${row("a", BODY_CHARACTERS)}`,
  }),
  "a set of status codes": parser((codes: string) => statusInSet(200, codes), {
    commas: () => row(",", BODY_CHARACTERS),
    ranges: () => row("100-199,", BODY_CHARACTERS),
    spaces: () => row(" ", BODY_CHARACTERS),
  }),
  "a line of the log": parser(
    (text: string) => createLogger("info", { write() {} }).info({ url: text }, text),
    {
      "beginnings of tokens": () => row("vdt_", BODY_CHARACTERS),
      "tokens too short": () => row("vdt_aaaaaaa ", BODY_CHARACTERS),
      sessions: () => row("vedette_session=", BODY_CHARACTERS),
    },
  ),
});
