import { Socket } from "node:net";
import type SMTPConnection from "nodemailer/lib/smtp-connection";
import { addressLiteral } from "../../check/ehlo-name.ts";
import type { SmtpServer } from "../../config-smtp.ts";

/** A step that the server does not answer for so long has failed. */
const CONNECT_MS = 10_000;
const SILENCE_MS = 20_000;

interface Letter {
  from: string;
  to: string;
  /** With its headers. */
  message: Buffer;
}

/**
 * Hands a mail to a mail server over a connection of its own, and gives what it answered. Throws nodemailer's errors, and an
 * `ETIMEDOUT` when the signal ends it.
 */
export async function sendBySmtp(
  server: SmtpServer,
  { from, to, message }: Letter,
  signal: AbortSignal,
): Promise<string> {
  // Most installations send nothing for days: it is loaded when it is needed.
  const { default: Connection } = await import("nodemailer/lib/smtp-connection");
  const socket = new Socket();
  const connection = new Connection({ ...optionsOf(server), socket });
  if (server.ehloName === undefined) {
    socket.once("connect", () => (connection.name = addressLiteral(socket.localAddress)));
  }
  const failed = new Promise<never>((_, reject) => {
    const stop = () => reject(Object.assign(new Error("given up"), { code: "ETIMEDOUT" }));
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop);
    connection.on("error", reject);
    // Once the promise is settled, this changes nothing.
    connection.once("end", () => reject(Object.assign(new Error("closed"), { code: "ECONNECTION" })));
  });
  try {
    return await Promise.race([failed, converse(connection, server, { from, to, message })]);
  } finally {
    connection.close();
  }
}

async function converse(
  connection: SMTPConnection,
  { auth }: SmtpServer,
  { from, to, message }: Letter,
): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    connection.connect((error) => (error ? reject(error) : resolve()));
  });
  if (auth) {
    await new Promise<void>((resolve, reject) => {
      connection.login(auth, (error) => (error ? reject(error) : resolve()));
    });
  }
  const { response } = await new Promise<{ response: string }>((resolve, reject) => {
    connection.send({ from, to: [to] }, message, (error, info) => (error ? reject(error) : resolve(info)));
  });
  connection.quit();
  return response;
}

const optionsOf = ({
  host,
  port,
  secure,
  startTls,
  verify,
  ehloName,
}: SmtpServer): SMTPConnection.Options => ({
  host,
  port,
  secure,
  requireTLS: !secure && startTls === "required",
  ignoreTLS: startTls === "never",
  ...(ehloName !== undefined && { name: ehloName }),
  tls: { rejectUnauthorized: verify },
  connectionTimeout: CONNECT_MS,
  greetingTimeout: CONNECT_MS,
  socketTimeout: SILENCE_MS,
  dnsTimeout: CONNECT_MS,
});
