import { spawnSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { mkdirSync } from "node:fs";
import type { AddressInfo } from "node:net";
import ssh2 from "ssh2";
import { describe, expect, onTestFinished, test } from "vitest";
import { checkSsh } from "../../src/checks/ssh.ts";
import { missingServers, startDaemon } from "../harness/daemons.ts";
import { startLineTarget } from "../harness/line-target.ts";
import { readable } from "../harness/reasons.ts";
import { closing, makeNetwork } from "./factories.ts";

type Config = Parameters<typeof checkSsh.run>[0];

const run = async (config: Omit<Config, "host">, timeoutMs = 5000) =>
  readable(await checkSsh.run({ host: "127.0.0.1", ...config }, { network: await makeNetwork(), timeoutMs }));

const up = { verdict: "ok", reason: null, address: "127.0.0.1" };
const other = `SHA256:${"A".repeat(43)}`;
const missing = missingServers("sshd", "ssh-keygen");

describe.skipIf(missing)(`a check of a real SSH server (${missing ?? "OpenSSH"})`, () => {
  test("passes with any host key, or with the expected one", async () => {
    // Where Debian's own service would make it.
    if (process.getuid?.() === 0) mkdirSync("/run/sshd", { recursive: true });
    const { folder, ports } = await startDaemon({
      program: "sshd",
      files: ({ folder: own, ports: [port] }) => {
        spawnSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", `${own}/key`]);
        const lines = [
          `Port ${port}`,
          "ListenAddress 127.0.0.1",
          `HostKey ${own}/key`,
          "PidFile none",
          "UsePAM no",
          "",
        ];
        return { sshd_config: lines.join("\n") };
      },
      args: ({ folder: own }) => ["-D", "-e", "-f", `${own}/sshd_config`],
    });
    const [port = 0] = ports;
    const shown = spawnSync("ssh-keygen", ["-lf", `${folder}/key.pub`], { encoding: "utf8" }).stdout;
    const [, fingerprint = ""] = /(SHA256:\S+)/.exec(shown) ?? [];
    expect(await run({ port })).toMatchObject(up);
    expect(await run({ port, fingerprint })).toMatchObject(up);
    expect((await run({ port, fingerprint: other })).reason).toBe(
      `127.0.0.1:${port} showed the host key ${fingerprint}, not the expected ${other}.`,
    );
  });
});

test.each(["pkcs1", "sec1"] as const)("knows a host key in the form %s", async (form) => {
  const { privateKey } =
    form === "pkcs1"
      ? generateKeyPairSync("rsa", { modulusLength: 2048 })
      : generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const hostKeys = [String(privateKey.export({ type: form, format: "pem" }))];
  const server = new ssh2.Server({ hostKeys }, (client) => client.on("error", () => {}));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  expect(await run({ port: (server.address() as AddressInfo).port })).toMatchObject(up);
});

test("knows servers that are as old as their ways", async () => {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const hostKeys = [String(privateKey.export({ type: "pkcs1", format: "pem" }))];
  for (const kex of ["diffie-hellman-group14-sha1", "diffie-hellman-group1-sha1"] as const) {
    const algorithms: ssh2.ServerConfig["algorithms"] = { kex: [kex], cipher: ["aes128-cbc"] };
    const server = new ssh2.Server({ hostKeys, algorithms }, (client) => client.on("error", () => {}));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    expect(await run({ port: (server.address() as AddressInfo).port })).toMatchObject(up);
  }
});

test("lets no server choose the numbers of the exchange: testing them would keep the thread for half a minute", async () => {
  const target = closing(await startLineTarget((socket) => void socket.write("SSH-2.0-here\r\n")));
  await run({ port: target.port }, 300);
  expect(target.received[0]).toContain("curve25519-sha256");
  expect(target.received[0]).not.toContain("group-exchange");
});

test("knows what is no SSH server, and one that breaks off", async () => {
  const mail = closing(await startLineTarget((socket) => void socket.end("220 mx.example ESMTP\r\n")));
  const outcome = await run({ port: mail.port });
  expect(outcome).toMatchObject({ verdict: "failed", reasonCode: "protocol" });
  const full = closing(
    await startLineTarget((socket) => void socket.end("SSH-2.0-OpenSSH_9.2\r\nExceeded MaxStartups\r\n")),
  );
  expect(await run({ port: full.port })).toMatchObject({ verdict: "failed", reasonCode: "protocol" });
});
