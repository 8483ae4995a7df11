import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { checkImap } from "../../src/checks/imap.ts";
import { checkPop3 } from "../../src/checks/pop3.ts";
import { type CertificateFlavour, testCa } from "../harness/certificates.ts";
import { missingServers, startDaemon } from "../harness/daemons.ts";
import { readable } from "../harness/reasons.ts";
import { makeNetwork } from "./factories.ts";

const KINDS = { imap: checkImap, pop3: checkPop3 };
type Kind = keyof typeof KINDS;
type Config = Parameters<typeof checkImap.run>[0];

const run = async (kind: Kind, config: Omit<Config, "host">, timeoutMs = 5000) =>
  readable(
    await KINDS[kind].run({ host: "localhost", ...config }, { network: await makeNetwork(), timeoutMs }),
  );

/** A Dovecot whose users all have the same password; its ports are for STARTTLS and for TLS. */
async function startDovecot(kind: Kind, flavour: CertificateFlavour = "valid") {
  const { cert, key } = await (await testCa()).issue(flavour, ["localhost"]);
  const { ports } = await startDaemon({
    program: "dovecot",
    ports: 2,
    files: ({ folder, ports: [clear, secured] }) => ({
      "cert.pem": cert,
      "key.pem": key,
      "dovecot.conf": `
        base_dir = ${join(folder, "run")}
        log_path = /dev/stderr
        listen = 127.0.0.1
        protocols = ${kind}
        auth_failure_delay = 0 secs
        ssl = yes
        ssl_cert = <${join(folder, "cert.pem")}
        ssl_key = <${join(folder, "key.pem")}
        mail_location = maildir:${join(folder, "mail")}
        passdb {
          driver = static
          args = password=open-sesame
        }
        userdb {
          driver = static
          args = uid=65534 gid=65534 home=${join(folder, "home")} allow_all_users=yes
        }
        service ${kind}-login {
          inet_listener ${kind} {
            port = ${clear}
          }
          inet_listener ${kind}s {
            port = ${secured}
            ssl = yes
          }
        }`,
    }),
    args: ({ folder }) => ["-F", "-c", join(folder, "dovecot.conf")],
  });
  const [clear = 0, secured = 0] = ports;
  return { clear, secured };
}

const missing = missingServers("dovecot");

describe.skipIf(missing)(`a check of a real mailbox server (${missing ?? "Dovecot"})`, () => {
  test.each(["imap", "pop3"] as const)("%s: greeting, TLS of both sorts, the login", async (kind) => {
    const { clear, secured } = await startDovecot(kind);
    const up = { verdict: "ok", reason: null };
    expect(await run(kind, { port: clear, security: "none" })).toMatchObject({ ...up, certificate: null });
    const login = { user: "watch", password: "open-sesame" };
    const ways = [
      { port: clear, security: "starttls" },
      { port: secured, security: "tls" },
    ] as const;
    for (const way of ways) {
      expect(await run(kind, { ...way, ...login })).toMatchObject({ ...up, certificate: { valid: true } });
    }
    const refused = await run(kind, { port: secured, user: "watch", password: "guessed" });
    expect(refused).toMatchObject({ verdict: "failed", reasonCode: "status" });
    expect(refused.reason).toMatch(/^localhost \(127\.0\.0\.1:\d+\) refused the login: ".*failed/);
    const silent = await run(kind, { port: secured, security: "none" }, 300);
    expect(silent).toMatchObject({ verdict: "failed", reasonCode: "timeout" });
  });

  test.each(["imap", "pop3"] as const)(
    "%s: an expired certificate means down, unless ignored",
    async (kind) => {
      const { clear, secured } = await startDovecot(kind, "expired");
      for (const way of [{ port: clear, security: "starttls" } as const, { port: secured }]) {
        expect(await run(kind, way)).toMatchObject({ verdict: "failed", reasonCode: "certificate" });
        expect(await run(kind, { ...way, ignoreCertificate: true })).toMatchObject({
          verdict: "ok",
          certificate: { valid: false },
        });
      }
    },
  );
});
