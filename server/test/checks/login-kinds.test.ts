import { describe, expect, test } from "vitest";
import { checkFtp } from "../../src/checks/ftp.ts";
import { checkImap } from "../../src/checks/imap.ts";
import { checkPop3 } from "../../src/checks/pop3.ts";
import { checkSmtp } from "../../src/checks/smtp.ts";
import { addressLiteral } from "../../src/platform/formats/host.ts";
import { testCa } from "../harness/certificates.ts";
import { missingServers, startDaemon } from "../harness/daemons.ts";
import { readable } from "../harness/reasons.ts";
import { startMailServer } from "../harness/smtp.ts";
import { closing, makeNetwork } from "./factories.ts";
import {
  type LoginKind as Kind,
  kinds,
  SCRIPTS,
  startScript as start,
  TLS_COMMAND,
} from "./login-scripts.ts";

const KINDS = { smtp: checkSmtp, imap: checkImap, pop3: checkPop3, ftp: checkFtp };
type Config = Parameters<typeof checkSmtp.run>[0];

const run = async (kind: Kind, config: Omit<Config, "host">, timeoutMs = 5000) =>
  readable(
    await KINDS[kind].run({ host: "localhost", ...config }, { network: await makeNetwork(), timeoutMs }),
  );

const LOGIN = { user: "watch", password: "open-sesame" };

describe.each(kinds)("a check of kind %s", (kind) => {
  test("agrees on TLS before it says who it is, and takes its leave", async () => {
    const { port, said } = await start(kind);
    const outcome = await run(kind, { port, security: "starttls", ...LOGIN });
    expect(outcome).toMatchObject({ verdict: "ok", reason: null, certificate: { valid: true } });
    const secured = said.indexOf(TLS_COMMAND[kind]);
    expect(secured).toBeGreaterThanOrEqual(0);
    expect(said.slice(0, secured).join()).not.toMatch(/AUTH|USER|PASS/);
  });

  test("accepts a greeting where no user is set", async () => {
    const { port, said } = await start(kind);
    expect(await run(kind, { port, security: "none" })).toMatchObject({ verdict: "ok", certificate: null });
    expect(said.join()).not.toMatch(/AUTH|USER|PASS|open-sesame/);
  });

  test("fails, and says no password, where TLS is wanted and not offered", async () => {
    const refusal = { smtp: "454 no", imap: "v1 BAD no", pop3: "-ERR no", ftp: "500 no" }[kind];
    const { port, said } = await start(kind, { [TLS_COMMAND[kind]]: `${refusal}\r\n` });
    const outcome = await run(kind, { port, security: "starttls", ...LOGIN });
    expect(outcome).toMatchObject({ verdict: "failed", reasonCode: kind === "smtp" ? "status" : "protocol" });
    expect(said.join()).not.toMatch(/AUTH PLAIN|AUTHENTICATE|USER|PASS/);
  });

  test("takes nothing for encrypted that came before the encryption", async () => {
    const [, agreed = ""] = SCRIPTS[kind].answers.find(([begin]) => begin === TLS_COMMAND[kind]) ?? [];
    const { port } = await start(kind, { [TLS_COMMAND[kind]]: `${agreed}250 injected\r\n` });
    expect((await run(kind, { port, security: "starttls" })).reason).toBe(
      `localhost (127.0.0.1:${port}) does not keep to the protocol.`,
    );
  });

  test("reports a refused login in the server's words, without the password in any form", async () => {
    const { port } = await start(kind, {
      "AUTH PLAIN": "535 no: open-sesame AHdhdGNoAG9wZW4tc2VzYW1l\r\n",
      AHdhdGNo: "v2 NO no: open-sesame AHdhdGNoAG9wZW4tc2VzYW1l\r\n",
      "PASS ": `${kind === "ftp" ? "530" : "-ERR"} no: open-sesame AHdhdGNoAG9wZW4tc2VzYW1l\r\n`,
    });
    const { reason, reasonCode } = await run(kind, { port, security: "none", ...LOGIN });
    expect(reasonCode).toBe("status");
    expect(reason).toMatch(/refused the login: ".*no: \*+ \*+"\.$/);
  });

  test("knows another protocol, and a server that wants no visitors", async () => {
    const other = await start(kind, { "": "SSH-2.0-OpenSSH_9.2\r\n" });
    expect((await run(kind, { port: other.port, security: "none" })).reason).toContain(
      'its answer begins "SSH-2.0-OpenSSH_9.2"',
    );
    const refusal = { smtp: "554 full", imap: "* BYE full", pop3: "-ERR full", ftp: "421 full" }[kind];
    const full = await start(kind, { "": `${refusal}\r\n` });
    expect(await run(kind, { port: full.port, security: "none" })).toMatchObject({
      reasonCode: "status",
      reason: `localhost (127.0.0.1:${full.port}) answered with an error: "${refusal}".`,
    });
  });

  test("ends in its time wherever the server falls silent", async () => {
    for (const begin of ["", ...SCRIPTS[kind].answers.map(([first]) => first)]) {
      const { port } = await start(kind, { [begin]: null });
      const outcome = await run(kind, { port, security: "none", ...LOGIN }, 150);
      const isSlow = begin !== TLS_COMMAND[kind];
      expect([begin, outcome.reasonCode]).toEqual([begin, isSlow ? "timeout" : null]);
    }
  });
});

test("smtp logs in to a real server, and sends no mail", async () => {
  const server = await startMailServer({ user: { name: "watch", password: "open-sesame" } });
  closing({ close: () => server.stop() });
  const { port } = server.smtp;
  expect(await run("smtp", { port, security: "none", ...LOGIN })).toMatchObject({ verdict: "ok" });
  const guessed = await run("smtp", { port, security: "none", user: "watch", password: "guessed" });
  expect(guessed.reason).toContain('refused the login: "535 5.7.8 Who are you?"');
  expect(server.mails).toEqual([]);
});

test("smtp calls itself as it is set, else by the address of its own side", async () => {
  const hello = async (host: string, network: { ehloName?: string } = {}) => {
    const { port, said } = await start("smtp");
    const config = { host, port, security: "none" as const };
    const environment = { network: await makeNetwork(network), timeoutMs: 5000 };
    expect(await checkSmtp.run(config, environment)).toMatchObject({ verdict: "ok" });
    return said[0];
  };
  expect(await hello("127.0.0.1")).toBe("EHLO [127.0.0.1]");
  expect(await hello("127.0.0.1", { ehloName: "vedette.example.org" })).toBe("EHLO vedette.example.org");
  expect([undefined, "::1", "::ffff:192.0.2.1", "fe80::1%eth0"].map(addressLiteral)).toEqual([
    "[127.0.0.1]",
    "[IPv6:::1]",
    "[192.0.2.1]",
    "[IPv6:fe80::1]",
  ]);
});

test("smtp goes on with HELO where EHLO is refused for good", async () => {
  const old = await start("smtp", { EHLO: "500 what?\r\n", HELO: "250 mx.example\r\n" });
  expect(await run("smtp", { port: old.port, security: "none" })).toMatchObject({ verdict: "ok" });
  expect(old.said.slice(0, 2)).toEqual(["EHLO [127.0.0.1]", "HELO [127.0.0.1]"]);
  expect((await run("smtp", { port: old.port, security: "starttls" })).reason).toBe(
    `localhost (127.0.0.1:${old.port}) offers no TLS.`,
  );
  const neither = await start("smtp", { EHLO: "502 no\r\n", HELO: "550 go away\r\n" });
  expect((await run("smtp", { port: neither.port, security: "none" })).reason).toContain('"550 go away"');
  const later = await start("smtp", { EHLO: "421 busy\r\n" });
  expect((await run("smtp", { port: later.port, security: "none" })).reason).toContain('"421 busy"');
  expect(later.said).toEqual(["EHLO [127.0.0.1]"]);
});

test("smtp says LOGIN where PLAIN is not offered, and says when there is no way to log in", async () => {
  const old = await start("smtp", {
    EHLO: "250-mx.example\r\n250 AUTH=LOGIN\r\n",
    "AUTH LOGIN": "334 VXNlcm5hbWU6\r\n",
    d2F0Y2g: "334 UGFzc3dvcmQ6\r\n",
    "b3Blbi1zZXNhbWU=": "235 welcome\r\n",
  });
  expect(await run("smtp", { port: old.port, security: "none", ...LOGIN })).toMatchObject({ verdict: "ok" });
  const { port } = await start("smtp", { EHLO: "250 mx.example\r\n" });
  expect((await run("smtp", { port, security: "none", ...LOGIN })).reason).toContain(
    "offers no way to log in with a password",
  );
});

test("imap logs in by the older command where the server does not know the newer one", async () => {
  const password = 'open "se\\same';
  const answers = { "v2 AUTHENTICATE": "v2 BAD unknown\r\n", "v4 LOGIN": "v4 OK welcome\r\n" };
  const old = await start("imap", answers);
  const login = { user: "watch", password, security: "none" as const };
  expect(await run("imap", { port: old.port, ...login })).toMatchObject({ verdict: "ok", reason: null });
  expect(old.said).toContain('v4 LOGIN "watch" "open \\"se\\\\same"');
  const refusing = await start("imap", { ...answers, "v4 LOGIN": `v4 NO no ${password}\r\n` });
  expect((await run("imap", { port: refusing.port, ...login })).reason).toContain('"NO no ********"');
  const gone = await start("imap", { "v2 AUTHENTICATE": "* BYE too many\r\n" });
  expect((await run("imap", { port: gone.port, ...login })).reason).toContain("BYE too many");
  expect(gone.said.join()).not.toContain("LOGIN");
  const foreign = await start("imap", answers);
  expect(await run("imap", { port: foreign.port, ...login, password: "sésame" })).toMatchObject({
    reasonCode: "status",
  });
  expect(foreign.said.join()).not.toContain("LOGIN");
});

test("pop3 passes where the login was right and the mailbox is open elsewhere", async () => {
  const { port } = await start("pop3", { "PASS ": "-ERR [IN-USE] another session\r\n" });
  expect(await run("pop3", { port, security: "none", ...LOGIN })).toMatchObject({ verdict: "ok" });
});

const missing = missingServers("vsftpd");

describe.skipIf(missing)(`a check of a real file server (${missing ?? "vsftpd"})`, () => {
  test("ftp: greeting, TLS, the login", async () => {
    const { cert, key } = await (await testCa()).issue("valid", ["localhost"]);
    const { ports } = await startDaemon({
      program: "vsftpd",
      files: ({ folder, ports: [port] }) => ({
        "cert.pem": `${key}${cert}`,
        "vsftpd.conf": [
          `listen_port=${port}`,
          "listen=YES",
          "listen_address=127.0.0.1",
          "background=NO",
          "anonymous_enable=YES",
          `secure_chroot_dir=${folder}`,
          `anon_root=${folder}`,
          "ssl_enable=YES",
          "allow_anon_ssl=YES",
          "force_local_logins_ssl=NO",
          "ssl_ciphers=HIGH",
          `rsa_cert_file=${folder}/cert.pem`,
          "seccomp_sandbox=NO",
          "delay_failed_login=0",
          "",
        ].join("\n"),
      }),
      args: ({ folder }) => [`${folder}/vsftpd.conf`],
    });
    const [port = 0] = ports;
    const up = { verdict: "ok", reason: null };
    expect(await run("ftp", { port })).toMatchObject({ ...up, certificate: null });
    const guest = { user: "anonymous", password: "me@example.com" };
    expect(await run("ftp", { port, ...guest })).toMatchObject(up);
    expect(await run("ftp", { port, security: "starttls", ...guest })).toMatchObject({
      ...up,
      certificate: { valid: true },
    });
    expect((await run("ftp", { port, ...LOGIN })).reason).toMatch(/refused the login: "530 /);
  });
});
