import type net from "node:net";
import tls from "node:tls";
import { testCa } from "../harness/certificates.ts";
import { startLineTarget } from "../harness/line-target.ts";
import { closing } from "./factories.ts";

/** What a server says first, and to what begins like this. */
interface Script {
  greeting: string;
  answers: readonly (readonly [said: string, answer: string])[];
}

export type LoginKind = "smtp" | "imap" | "pop3" | "ftp";

/** Servers that offer all there is. */
export const SCRIPTS: Record<LoginKind, Script> = {
  smtp: {
    greeting: "220-mx.example\r\n220 ready\r\n",
    answers: [
      ["EHLO", "250-mx.example\r\n250-STARTTLS\r\n250 AUTH LOGIN PLAIN\r\n"],
      ["STARTTLS", "220 go on\r\n"],
      ["AUTH PLAIN", "235 welcome\r\n"],
    ],
  },
  imap: {
    greeting: "* OK ready\r\n",
    answers: [
      ["v1 STARTTLS", "* CAPABILITY IMAP4rev2\r\nv1 OK go on\r\n"],
      ["v2 AUTHENTICATE PLAIN", "+ \r\n"],
      ["AHdhdGNo", "v2 OK welcome\r\n"],
    ],
  },
  pop3: {
    greeting: "+OK ready\r\n",
    answers: [
      ["STLS", "+OK go on\r\n"],
      ["USER watch", "+OK\r\n"],
      ["PASS ", "+OK welcome\r\n"],
    ],
  },
  ftp: {
    greeting: "120 in a moment\r\n220-files.example\r\n 230 is not the end\r\n220 ready\r\n",
    answers: [
      ["AUTH TLS", "234 go on\r\n"],
      ["USER watch", "331 and the password?\r\n"],
      ["PASS ", "230 welcome\r\n"],
    ],
  },
};

/** What requests TLS. */
export const TLS_COMMAND: Record<LoginKind, string> = {
  smtp: "STARTTLS",
  imap: "v1 STARTTLS",
  pop3: "STLS",
  ftp: "AUTH TLS",
};

export const kinds = Object.keys(SCRIPTS) as LoginKind[];

/** Follows a script, but answers what begins with a key of `instead` by its value; null: not at all. */
export async function startScript(kind: LoginKind, instead: Record<string, string | null> = {}) {
  const { greeting, answers } = SCRIPTS[kind];
  const credentials = await (await testCa()).issue("valid", ["localhost"]);
  const said: string[] = [];
  const answerTo = (line: string): string | null => {
    const other = Object.keys(instead).find((begin) => begin !== "" && line.startsWith(begin));
    if (other !== undefined) return instead[other] ?? null;
    return answers.find(([begin]) => line.startsWith(begin))?.[1] ?? null;
  };
  const talk = (socket: net.Socket) => {
    socket.on("error", () => {});
    socket.on("data", (bytes) => {
      for (const line of bytes.toString().split("\r\n").slice(0, -1)) {
        said.push(line);
        const answer = answerTo(line);
        if (answer !== null) socket.write(answer);
        if (line !== TLS_COMMAND[kind] || instead[line] !== undefined) continue;
        socket.removeAllListeners("data");
        talk(new tls.TLSSocket(socket, { isServer: true, ...credentials }));
      }
    });
  };
  const greet = (socket: net.Socket) => {
    talk(socket);
    const first = instead[""] === undefined ? greeting : instead[""];
    if (first !== null) socket.write(first);
  };
  const { port } = closing(await startLineTarget(greet));
  return { port, said };
}
