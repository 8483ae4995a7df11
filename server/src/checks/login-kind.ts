import { type Static, Type } from "typebox";
import { msg } from "../platform/i18n/message.ts";
import type { SecretHint } from "../platform/secrets/config-secrets.ts";
import { PHASES, type ProbedKind } from "./check.ts";
import type { Dialogue } from "./dialogue.ts";
import { converse, hostAndPort, hostField, peerOf, usualPort } from "./peer.ts";
import { DialogueError } from "./reasons.ts";
import { tlsFields } from "./tls-config.ts";

/** How a connection is protected: not at all, once both have agreed to it, or from the first byte. */
const SECURITY = ["none", "starttls", "tls"] as const;
type Security = (typeof SECURITY)[number];

/** Such a character would end a line of the protocol. */
const ONE_LINE = "^[^\\u0000-\\u001f\\u007f]*$";
const hidden: SecretHint = { "x-secret": "hidden" };

const loginConfigSchema = (port: number, security: Security) =>
  Type.Object(
    {
      host: hostField,
      port: usualPort(port),
      security: Type.Optional(
        Type.Enum([...SECURITY], {
          default: security,
          description:
            "`tls`: over TLS from the first byte. `starttls`: in the clear, then over TLS before anything else is said; if the server offers none, the monitor is down. `none`: in the clear, the password too.",
        }),
      ),
      ...tlsFields({ "x-when": { security: ["starttls", "tls"] } }),
      user: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 255,
          pattern: ONE_LINE,
          description: "The user to log in as. Without one, the check does not log in.",
        }),
      ),
      password: Type.Optional(
        Type.String({
          maxLength: 1024,
          pattern: ONE_LINE,
          format: "password",
          description: "The user's password.",
          ...hidden,
        }),
      ),
    },
    { additionalProperties: false },
  );

type LoginConfig = Static<ReturnType<typeof loginConfigSchema>>;

/** What a talk is about; with a `login`, the check logs in. */
export interface LoginWish {
  isStarttls: boolean;
  login: { user: string; password: string } | null;
  /** What no reason may quote: the password, in each of its encodings. */
  secrets: readonly string[];
}

interface LoginKind {
  type: string;
  title: string;
  description: string;
  /** Of most servers, with that security. */
  port: number;
  security: Security;
  talk(dialogue: Dialogue, wish: LoginWish): Promise<void>;
}

export function loginKind({
  type,
  port: usual,
  security: usualSecurity,
  talk,
  ...said
}: LoginKind): ProbedKind<LoginConfig, typeof PHASES> {
  return {
    type,
    phases: PHASES,
    configSchema: Object.assign(loginConfigSchema(usual, usualSecurity), said),
    target: ({ host, port = usual }) => hostAndPort({ host, port }),
    run: (config, environment) => {
      const { port = usual, security = usualSecurity } = config;
      const peer = peerOf({ ...config, port, tls: security === "tls" });
      const wish = { isStarttls: security === "starttls", ...loginOf(config) };
      return converse(peer, environment, (dialogue) => talk(dialogue, wish), wish.secrets);
    },
  };
}

function loginOf({
  user,
  password = "",
}: Pick<LoginConfig, "user" | "password">): Pick<LoginWish, "login" | "secrets"> {
  if (user === undefined) return { login: null, secrets: [] };
  const secrets = password === "" ? [] : [password, base64(password), saslPlain(user, password)];
  return { login: { user, password }, secrets };
}

/** As SASL sends texts over lines. */
export const base64 = (text: string): string => Buffer.from(text).toString("base64");

/** What SASL PLAIN answers (RFC 4616). */
export const saslPlain = (user: string, password: string): string => base64(`\0${user}\0${password}`);

/** What a server of SMTP or FTP answers (RFC 5321 §4.2, RFC 959 §4.2): three digits, and lines of text. */
export interface Reply {
  code: number;
  /** Without the digits. */
  lines: string[];
}

const FIRST_LINE = /^([1-5]\d\d)(?:([ -])(.*))?$/s;

/** The next reply, of one line or several. Throws DialogueError for what is none. */
export async function readReply(dialogue: Dialogue, protocol: string): Promise<Reply> {
  const first = await dialogue.readLine();
  const [, code, mark, text = ""] = FIRST_LINE.exec(first) ?? [];
  if (code === undefined) {
    const start = dialogue.quote(first);
    throw new DialogueError(msg("protocol.other", { where: dialogue.where, protocol, start }));
  }
  const lines = [text];
  for (let isMore = mark === "-"; isMore; ) {
    const line = await dialogue.readLine();
    isMore = !(line === code || line.startsWith(`${code} `));
    lines.push(line.startsWith(code) ? line.slice(code.length + 1) : line);
  }
  return { code: Number(code), lines };
}

/** A reply that was not hoped for, in the server's words but for these. */
export const replyError = (
  { code, lines }: Reply,
  { where, quote }: Dialogue,
  { isLogin = false }: { isLogin?: boolean } = {},
): DialogueError =>
  new DialogueError(
    msg(isLogin ? "status.login" : "status.error", {
      where,
      said: quote(`${code} ${lines.join(" ")}`),
    }),
  );
