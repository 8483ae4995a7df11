import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { type CertificateFlavour, testCa } from "../../harness/certificates.ts";
import { startTestServer } from "../../harness/server.ts";
import { startMailServer } from "../../harness/smtp.ts";

// This file has a process of its own (vitest.config.ts): what Node trusts is changed once, while nothing uses it yet.
beforeAll(async () => {
  const { pem } = await testCa();
  setDefaultCACertificates([...getCACertificates("default"), pem]);
});

/** A server that sends by a mail server with this certificate; the tests' CA is trusted as the system's are. */
async function start(flavour: CertificateFlavour, secure: boolean, change = {}) {
  const ca = await testCa();
  const mail = await startMailServer({ tls: { ...(await ca.issue(flavour)), secure } });
  const smtp = { ...mail.smtp, ...change };
  const server = await startTestServer({
    engine: "sqlite",
    config: { smtp, publicUrl: "https://vedette.test" },
  });
  onTestFinished(async () => {
    await server.close();
    await mail.stop();
  });
  const send = async () => (await server.api("POST", "/api/mail/test")).body.data;
  return { mail, send };
}

test.each([
  ["from the first byte", true],
  ["by STARTTLS", false],
] as const)("mail goes over TLS %s to a server whose certificate is trusted", async (_, secure) => {
  const { mail, send } = await start("valid", secure, { startTls: "required" });
  expect(await send()).toMatchObject({ accepted: true });
  expect(mail.mails).toHaveLength(1);
  expect(mail.mails[0]?.raw).toContain("A test mail from Vedette");
});

test.each([
  ["of an unknown issuer", "untrusted", true],
  ["of an unknown issuer", "untrusted", false],
  ["has expired", "expired", true],
  ["is another host's", "wrong-host", false],
] as const)(
  "mail is not handed to a server whose certificate %s (%s, secure: %s)",
  async (_, flavour, secure) => {
    const { mail, send } = await start(flavour, secure, { startTls: "required" });
    const { accepted, answer, answerFact } = await send();
    expect([accepted, answerFact.code]).toEqual([false, "mail.tls"]);
    expect(answer).toMatch(
      /^No secure connection to the mail server 127\.0\.0\.1:\d+ could be made \(.*certificate.*\)\.$/i,
    );
    expect(mail.mails).toEqual([]);
  },
);

test("an untrusted certificate is accepted where the configuration says so", async () => {
  const { mail, send } = await start("untrusted", true, { verify: false });
  expect(await send()).toMatchObject({ accepted: true });
  expect(mail.mails).toHaveLength(1);
});

test("mail is not handed over in the clear where STARTTLS is required and not offered", async () => {
  const mail = await startMailServer();
  const server = await startTestServer({
    engine: "sqlite",
    config: { smtp: { ...mail.smtp, startTls: "required" }, publicUrl: "https://vedette.test" },
  });
  onTestFinished(async () => {
    await server.close();
    await mail.stop();
  });
  const { data } = (await server.api("POST", "/api/mail/test")).body;
  expect([data.accepted, data.answerFact.code, mail.mails]).toEqual([false, "mail.tls", []]);
});
