import dgram from "node:dgram";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import type { ActiveKind } from "../../src/check/check.ts";
import { activeKind, checkKinds } from "../../src/check/registry.ts";
import { inEnglish } from "../../src/texts/english.ts";
import { CONVERSATIONS, type Conversation, type Talk } from "../harness/conversations.ts";
import { startLineTarget } from "../harness/line-target.ts";
import { closing, makeNetwork } from "./factories.ts";

const CANARY = "open-sesame-7f3a";
const conversations: Record<string, Conversation> = CONVERSATIONS;

interface Field {
  "x-secret"?: string;
  type?: string;
}

/** Kinds that have something to hide, with a canary in each field that may hold a credential. */
const KINDS = Object.values(checkKinds).flatMap(({ type, configSchema }): [string, ActiveKind, object][] => {
  const kind = activeKind(type);
  const { properties } = configSchema as unknown as { properties: Record<string, Field> };
  const secrets = Object.entries(properties).filter(([, field]) => field["x-secret"] !== undefined);
  if (kind === null || secrets.length === 0) return [];
  const canaries = secrets.map(([name, field]): [string, unknown] => {
    if (field.type === "array") return [name, [{ name: "x-key", value: CANARY }]];
    if (name === "headers") return [name, { "x-key": CANARY }];
    return [name, name === "auth" ? { type: "bearer", token: CANARY } : CANARY];
  });
  // A user without whom some kinds send no password.
  const user = "user" in properties ? { user: "watch" } : {};
  return [[type, kind, { ...user, ...Object.fromEntries(canaries) }]];
});

const forms = (text: string) => [text, Buffer.from(text).toString("base64"), encodeURIComponent(text)];

/** What a server says that quotes all it is told, or knows the secret from elsewhere. */
const TALKS: Record<string, Talk> = {
  "that echoes": (socket) => void socket.on("data", (bytes) => socket.write(bytes)),
  "that quotes the secret in its greeting": (socket) => void socket.end(`${CANARY} ${CANARY}\r\n`),
  "that repeats it in an error": (socket) => {
    socket.on("data", (bytes) => socket.write(`-ERR ${String(bytes).replace(/\s+/g, " ")}\r\n`));
  },
  "that quotes it in an error": (socket) => {
    socket.on("data", () => socket.end(`-ERR 530 * BYE ${CANARY} ${CANARY}\r\n`));
  },
};

async function startTarget(talk: Talk, isUdp: boolean): Promise<number> {
  if (!isUdp) return closing(await startLineTarget(talk)).port;
  const socket = dgram.createSocket("udp4").bind(0, "127.0.0.1");
  socket.on("message", (bytes, { port }) => socket.send(`no: ${bytes.toString()}`, port, "127.0.0.1"));
  await once(socket, "listening");
  onTestFinished(() => void socket.close());
  return socket.address().port;
}

/** Servers that get as far as being told the secret, and echo that, as they heard it or in a refusal. */
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

test.each(KINDS)(
  "a check of kind %s tells nothing that it keeps secret, whatever the server says",
  async (type, kind, canaries) => {
    const environment = { network: await makeNetwork(), timeoutMs: 300 };
    const own = scripts[type];
    const greeted = type === "http" ? { "that echoes": TALKS["that echoes"] as Talk } : TALKS;
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
      const told = `${JSON.stringify(outcome)} ${outcome.reason === null ? "" : inEnglish(outcome.reason)}`;
      for (const form of forms(CANARY))
        expect([name, told]).toEqual([name, expect.not.stringContaining(form)]);
      expect(told).not.toContain(Buffer.from(`\0watch\0${CANARY}`).toString("base64"));
    }
  },
);
