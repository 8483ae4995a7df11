import dgram from "node:dgram";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import type { ActiveKind } from "../../src/checks/check.ts";
import { activeKind, type CheckType, checkKinds } from "../../src/checks/registry.ts";
import { inEnglish } from "../../src/platform/i18n/english.ts";
import { CANARIES, formsOf, withCanaries } from "../harness/canaries.ts";
import { CONVERSATIONS, type Conversation, type Talk } from "../harness/conversations.ts";
import { startLineTarget } from "../harness/line-target.ts";
import { closing, makeNetwork } from "./factories.ts";

const conversations: Record<string, Conversation> = CONVERSATIONS;
/** What a server may quote that knows secrets from elsewhere. */
const ALL = Object.values(CANARIES).join(" ");

/** Kinds that have something to hide, with a canary in each field that may hold a credential. */
const KINDS = Object.values(checkKinds).flatMap(({ type }): [string, ActiveKind, object][] => {
  const [kind, canaries] = [activeKind(type), withCanaries(type as CheckType)];
  return kind === null || canaries === null ? [] : [[type, kind, canaries]];
});

/** What a server says that quotes all it receives, or knows the secret from elsewhere. */
const TALKS: Record<string, Talk> = {
  "that echoes": (socket) => void socket.on("data", (bytes) => socket.write(bytes)),
  "that quotes the secret in its greeting": (socket) => void socket.end(`${ALL}\r\n`),
  "that repeats it in an error": (socket) => {
    socket.on("data", (bytes) => socket.write(`-ERR ${String(bytes).replace(/\s+/g, " ")}\r\n`));
  },
  "that quotes it in an error": (socket) => {
    socket.on("data", () => socket.end(`-ERR 530 * BYE ${ALL}\r\n`));
  },
};

/** A server over HTTP that says in headers and body what it received. */
const quoting: Talk = (socket) => {
  socket.on("data", (bytes) => {
    const said = String(bytes).replace(/\s+/g, " ");
    const body = JSON.stringify({ said, encoded: encodeURIComponent(said) });
    socket.end(`HTTP/1.1 500 ${said.slice(0, 200)}\r\nx-said: ${said}\r\n\r\n${body}`);
  });
};

async function startTarget(talk: Talk, isUdp: boolean): Promise<number> {
  if (!isUdp) return closing(await startLineTarget(talk)).port;
  const socket = dgram.createSocket("udp4").bind(0, "127.0.0.1");
  socket.on("message", (bytes, { port }) => socket.send(`no: ${bytes.toString()}`, port, "127.0.0.1"));
  await once(socket, "listening");
  onTestFinished(() => void socket.close());
  return socket.address().port;
}

/** Servers that receive the secret, and echo it, as it came or in a refusal. */
const refusing =
  (greeting: string, good: RegExp, answer: string, refusal: string): Talk =>
  (socket) => {
    if (greeting !== "") socket.write(greeting);
    socket.on("data", (bytes) => socket.write(good.test(String(bytes)) ? answer : `${refusal}${bytes}`));
  };
const scripts: Record<string, readonly [string, RegExp, string, string]> = {
  pop3: ["+OK\r\n", /^USER/, "+OK\r\n", "-ERR no "],
  ftp: ["220 hi\r\n", /^USER/, "331 and?\r\n", "530 "],
  smtp: ["220 hi\r\n", /^EHLO/, "250-hi\r\n250 AUTH PLAIN\r\n", "535 "],
  imap: ["* OK\r\n", /AUTHENTICATE/, "+ \r\n", "v2 NO "],
};

/** Those that a kind was given: no other can be known to it. */
const secretsIn = (canaries: object) =>
  Object.values(CANARIES).filter((canary) => JSON.stringify(canaries).includes(canary));

test.each(KINDS)(
  "a check of kind %s reveals nothing that it keeps secret, whatever the server says",
  async (type, kind, canaries) => {
    const environment = { network: await makeNetwork(), timeoutMs: 300 };
    const own = scripts[type];
    const echoes = { "that echoes": TALKS["that echoes"] as Talk, "that quotes it in an answer": quoting };
    const greeted = type === "http" ? echoes : TALKS;
    const talks = {
      ...greeted,
      ...(own && {
        "that refuses it": refusing(...own),
        "that repeats it": refusing(own[0], own[1], own[2], ""),
      }),
    };
    for (const [name, talk] of Object.entries(talks)) {
      const port = await startTarget(talk, !kind.phases.includes("connect"));
      const config = { ...conversations[type]?.config(port), expect: "never", ...canaries };
      if (!("expect" in (kind.configSchema as unknown as { properties: object }).properties))
        Reflect.deleteProperty(config, "expect");
      const outcome = await kind.run(config as never, environment);
      const readable = `${JSON.stringify(outcome)} ${JSON.stringify(outcome.evidence?.() ?? null)} ${outcome.reason === null ? "" : inEnglish(outcome.reason)}`;
      const login = Buffer.from(`\0watch\0${CANARIES.hidden}`).toString("base64");
      for (const form of [...secretsIn(canaries).flatMap(formsOf), login])
        expect([name, readable]).toEqual([name, expect.not.stringContaining(form)]);
    }
  },
);
