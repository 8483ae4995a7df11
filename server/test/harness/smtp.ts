import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import type { SmtpServer } from "../../src/platform/config-values.ts";

/** A mail as it came. */
export interface ReceivedMail {
  /** How the client called itself. */
  ehloName: string;
  from: string;
  to: string[];
  /** Header names in lower case; folded lines are one, encoded words decoded. */
  headers: Record<string, string>;
  text: string;
  html: string;
  raw: string;
}

/** A real mail server on this machine. */
export interface MailServer {
  /** For a configuration. */
  smtp: SmtpServer;
  url: string;
  mails: ReceivedMail[];
  /** How it answers RCPT TO from now on: null takes the mail. */
  refuse(answer: { code: number; text: string } | null): void;
  /** Called at RCPT TO, which is answered once `answer` is called; null: answers at once again. */
  hold(received: ((answer: () => void) => void) | null): void;
  /** No longer listens; what is connected is cut off. */
  stop(): Promise<void>;
  /** Listens again, at the same port. */
  start(): Promise<void>;
}

/** Starts one on a free port, or on a given one. */
export async function startMailServer({
  user,
  tls,
}: {
  user?: { name: string; password: string };
  /** `secure`: from the first byte; else it offers STARTTLS. */
  tls?: { cert: string; key: string; secure: boolean };
} = {}): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  let refusal: { code: number; text: string } | null = null;
  let held: ((answer: () => void) => void) | null = null;
  const make = () => {
    const server = new SMTPServer({
      ...tls,
      disabledCommands: [...(tls ? [] : ["STARTTLS"]), ...(user ? [] : ["AUTH"])],
      authOptional: !user,
      allowInsecureAuth: true,
      disableReverseLookup: true,
      logger: false,
      closeTimeout: 100,
      onAuth: ({ username, password }, _, done) => {
        const isRight = username === user?.name && password === user?.password;
        if (isRight) done(null, { user: username });
        else done(Object.assign(new Error("5.7.8 Who are you?"), { responseCode: 535 }));
      },
      onRcptTo: (_, __, done) => {
        if (held) held(() => done());
        else if (refusal) done(Object.assign(new Error(refusal.text), { responseCode: refusal.code }));
        else done();
      },
      onData(stream, { envelope, hostNameAppearsAs }, done) {
        const chunks: Buffer[] = [];
        stream.on("data", (chunk: Buffer) => chunks.push(chunk));
        stream.on("end", () => {
          const raw = Buffer.concat(chunks).toString("latin1");
          const from = envelope.mailFrom ? envelope.mailFrom.address : "";
          mails.push({
            ehloName: String(hostNameAppearsAs),
            from,
            to: envelope.rcptTo.map(({ address }) => address),
            raw,
            ...parsed(raw),
          });
          done();
        });
      },
    });
    // A client that goes away is nothing to fail for.
    server.on("error", () => {});
    return server;
  };
  const listen = (server: SMTPServer, port: number) =>
    new Promise<number>((resolve) => {
      server.listen(port, "127.0.0.1", () => resolve((server.server.address() as AddressInfo).port));
    });
  let running = make();
  const port = await listen(running, 0);
  const auth = user ? { user: user.name, pass: user.password } : null;
  return {
    smtp: { host: "127.0.0.1", port, secure: tls?.secure ?? false, startTls: "offered", verify: true, auth },
    url: `smtp://${user ? `${user.name}:${user.password}@` : ""}127.0.0.1:${port}`,
    mails,
    refuse: (answer) => void (refusal = answer),
    hold: (received) => void (held = received),
    stop: () => new Promise((resolve) => running.close(() => resolve())),
    async start() {
      running = make();
      await listen(running, port);
    },
  };
}

type Parsed = Pick<ReceivedMail, "headers" | "text" | "html">;

function parsed(raw: string): Parsed {
  const { headers, body } = split(raw);
  const boundary = /boundary="([^"]+)"/.exec(headers["content-type"] ?? "")?.[1];
  const parts = boundary === undefined ? [raw] : body.split(`--${boundary}`).slice(1, -1);
  const bodyOf = (type: string) =>
    parts
      .map((part) => split(part.replace(/^\r\n/, "")))
      .filter((part) => part.headers["content-type"]?.startsWith(type))
      .map(decoded)
      .join("");
  return { headers, text: bodyOf("text/plain"), html: bodyOf("text/html") };
}

function split(raw: string): { headers: Record<string, string>; body: string } {
  const at = raw.indexOf("\r\n\r\n");
  const lines = raw
    .slice(0, at)
    .replaceAll(/\r\n[ \t]+/g, " ")
    .split("\r\n");
  const headers = lines.map((line) => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon).toLowerCase(), decodedWords(line.slice(colon + 1).trim())];
  });
  return { headers: Object.fromEntries(headers), body: raw.slice(at + 4) };
}

/** RFC 2047. */
const decodedWords = (text: string): string =>
  text
    .replaceAll(/\?= +=\?/g, "?==?")
    .replaceAll(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_, form: string, word: string) =>
      form.toLowerCase() === "b"
        ? Buffer.from(word, "base64").toString()
        : unquoted(word.replaceAll("_", " ")),
    );

function decoded({ headers, body }: { headers: Record<string, string>; body: string }): string {
  const encoding = headers["content-transfer-encoding"];
  const text =
    encoding === "base64"
      ? Buffer.from(body, "base64").toString()
      : encoding === "quoted-printable"
        ? unquoted(body)
        : body;
  return text.replaceAll("\r\n", "\n");
}

const unquoted = (text: string): string =>
  Buffer.from(
    text
      .replaceAll("=\r\n", "")
      .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    "latin1",
  ).toString();
