import { createHash } from "node:crypto";
import type { Duplex } from "node:stream";
import type ssh2 from "ssh2";
import { type Static, Type } from "typebox";
import { excerpt, msg } from "../platform/i18n/message.ts";
import type { ProbedKind } from "./check.ts";
import type { Connection } from "./dial.ts";
import { driverStream } from "./driver-stream.ts";
import { checkOver, hostAndPort, hostField, peerOf, usualPort } from "./peer.ts";
import { DialogueError, hungUp } from "./reasons.ts";

const PORT = 22;
/**
 * Nothing secret is sent, so old algorithms will do. No group exchange: testing the server's numbers can
 * block the thread for half a minute.
 */
const ALGORITHMS: ssh2.Algorithms = {
  kex: {
    remove: ["diffie-hellman-group-exchange-sha256"],
    append: ["diffie-hellman-group14-sha1", "diffie-hellman-group1-sha1"],
    prepend: [],
  },
  cipher: { append: ["aes256-cbc", "aes128-cbc", "3des-cbc"], prepend: [], remove: [] },
  // What a server sends in a few bytes must not become many.
  compress: ["none"],
};
const PHASES_OF_SSH = ["dns", "connect", "firstByte", "transfer"] as const;

const sshConfigSchema = Type.Object(
  {
    host: hostField,
    port: usualPort(PORT),
    fingerprint: Type.Optional(
      Type.String({
        pattern: "^SHA256:[A-Za-z0-9+/]{43}$",
        description:
          "The fingerprint that the server's host key must have, as `ssh-keygen -lf` shows it. Without it, any key will do.",
        examples: ["SHA256:uNiVztksCsDhcc0u9e8BrQvaXsE1KqcR6oQ0MsnZ1Ig"],
      }),
    ),
  },
  {
    additionalProperties: false,
    title: "SSH",
    description:
      "Exchanges keys with an SSH server and compares the fingerprint of its host key. It does not log in. Also for SFTP.",
  },
);

type SshConfig = Static<typeof sshConfigSchema>;

/** A server that exchanges keys and shows who it is (RFC 4253). */
export const checkSsh: ProbedKind<SshConfig, typeof PHASES_OF_SSH> = {
  type: "ssh",
  phases: PHASES_OF_SSH,
  configSchema: sshConfigSchema,
  target: ({ host, port = PORT }) => hostAndPort({ host, port }),
  run: async ({ host, port = PORT, fingerprint }, environment) => {
    // Only where such monitors are: it costs a process megabytes.
    const { default: driver } = await import("ssh2");
    const peer = peerOf({ host, port });
    const { phases, ...outcome } = await checkOver(peer, environment, (connection, socket) => ({
      over: exchangeKeys(new driver.Client(), connection, socket, fingerprint),
    }));
    return { ...outcome, phases: { ...phases, tlsUs: null } };
  },
};

async function exchangeKeys(
  client: ssh2.Client,
  connection: Connection,
  socket: Duplex,
  wanted: string | undefined,
): Promise<void> {
  const { where } = connection;
  let start = "";
  const stream = driverStream(connection, socket, (bytes) => {
    start ||= bytes.toString("utf8", 0, 80);
    return bytes;
  });
  let refusal: DialogueError | null = null;
  const hostVerifier = (key: Buffer): boolean => {
    const found = fingerprintOf(key);
    if (wanted === undefined || found === wanted) return true;
    refusal = new DialogueError(msg("assertion.fingerprint", { where, found, expected: wanted }));
    return false;
  };
  try {
    await new Promise<void>((resolve, reject) => {
      client.on("handshake", () => resolve());
      client.on("error", reject);
      client.on("close", () => reject(new DialogueError(hungUp("answer", where))));
      client.connect({
        sock: stream,
        username: "vedette",
        hostVerifier,
        readyTimeout: 0,
        algorithms: ALGORITHMS,
      });
    });
  } catch (error) {
    const known = refusal ?? stream.errored ?? error;
    throw known instanceof DialogueError ? known : misconduct(start, where);
  } finally {
    client.end();
  }
}

/** As OpenSSH shows it. */
const fingerprintOf = (key: Buffer): string =>
  `SHA256:${createHash("sha256").update(key).digest("base64").replace("=", "")}`;

/** What the driver would not go along with. */
const misconduct = (start: string, where: string): DialogueError =>
  new DialogueError(
    start.includes("SSH-")
      ? msg("protocol.broken", { where })
      : msg("protocol.other", { where, protocol: "SSH", start: excerpt(start) }),
  );
