import { createHash, createHmac, pbkdf2Sync, randomBytes } from "node:crypto";
import { Binary, type Document, deserialize, serialize } from "bson";
import type { CertificateFlavour } from "../harness/certificates.ts";
import { startLineTarget } from "../harness/line-target.ts";
import { closing } from "./factories.ts";

interface Account {
  user: string;
  /** As its mechanism hashes it. */
  password: string;
  mechanism: "SCRAM-SHA-1" | "SCRAM-SHA-256";
}

interface Options {
  certificate?: CertificateFlavour;
  account?: Account;
  /** What is answered beside what the command requests. */
  hello?: Document;
  ping?: Document;
  /** Of a server that knows the greeting by its old name. */
  isMaster?: Document;
  conversationId?: unknown;
  iterations?: number;
  /** The proof that is shown to the client. */
  proof?: (right: string) => string;
}

const OP_MSG = 2013;

/** A listener that speaks MongoDB's wire protocol as its documentation says: hello, SCRAM, ping. */
export async function startMongodbTarget({ certificate, ...options }: Options = {}) {
  const commands: Document[] = [];
  const target = await startLineTarget(
    (socket) => {
      const session = newSession(options);
      let rest = Buffer.alloc(0);
      socket.on("data", (bytes: Buffer) => {
        rest = Buffer.concat([rest, bytes]);
        while (rest.length >= 4 && rest.length >= rest.readInt32LE(0)) {
          const message = rest.subarray(0, rest.readInt32LE(0));
          rest = rest.subarray(message.length);
          const document = deserialize(message.subarray(21));
          commands.push(document);
          socket.write(framed(session(document), message.readInt32LE(4)));
        }
      });
    },
    certificate === undefined ? {} : { certificate },
  );
  return { ...closing(target), commands };
}

/** A reply to that request. */
export function framed(document: Document, to = 1): Buffer {
  const body = serialize(document);
  const head = Buffer.alloc(21);
  head.writeInt32LE(21 + body.length, 0);
  head.writeInt32LE(7, 4);
  head.writeInt32LE(to, 8);
  head.writeInt32LE(OP_MSG, 12);
  return Buffer.concat([head, body]);
}

const REFUSED = { ok: 0, errmsg: "Authentication failed.", code: 18, codeName: "AuthenticationFailed" };

function newSession({
  account,
  hello = {},
  ping = {},
  isMaster = {},
  conversationId = 5,
  iterations = 4096,
  proof = (right) => right,
}: Options) {
  let isIn = account === undefined;
  let first = "";
  let nonce = "";
  const salt = randomBytes(16).toString("base64");
  const payload = (text: string) => new Binary(Buffer.from(text));
  const said = (document: Document) => Buffer.from(document["payload"].buffer).toString();
  return (document: Document): Document => {
    if (document["hello"]) {
      const mechanisms = account ? { saslSupportedMechs: [account.mechanism] } : {};
      return { ok: 1, isWritablePrimary: true, ...mechanisms, ...hello };
    }
    if (document["isMaster"]) return { ok: 1, ...isMaster };
    if (document["saslStart"]) {
      first = said(document);
      nonce = `${/r=(.*)/.exec(first)?.[1]}${randomBytes(8).toString("hex")}`;
      if (!first.startsWith(`n,,n=${account?.user},`)) return REFUSED;
      const answer = `r=${nonce},s=${salt},i=${iterations}`;
      return { ok: 1, conversationId, done: false, payload: payload(answer) };
    }
    if (document["saslContinue"] && account) {
      const final = said(document);
      if (final === "") return { ok: 1, conversationId: 5, done: true, payload: payload("") };
      const hash = account.mechanism === "SCRAM-SHA-1" ? "sha1" : "sha256";
      const mac = (key: Buffer, text: string) => createHmac(hash, key).update(text).digest();
      const length = hash === "sha1" ? 20 : 32;
      const salted = pbkdf2Sync(account.password, Buffer.from(salt, "base64"), iterations, length, hash);
      const unproven = `c=biws,r=${nonce}`;
      const signed = [first.slice(3), `r=${nonce},s=${salt},i=${iterations}`, unproven].join(",");
      const clientKey = mac(salted, "Client Key");
      const signature = mac(createHash(hash).update(clientKey).digest(), signed);
      const wanted = clientKey.map((byte, at) => byte ^ (signature[at] as number));
      if (final !== `${unproven},p=${Buffer.from(wanted).toString("base64")}`) return REFUSED;
      isIn = true;
      const right = mac(mac(salted, "Server Key"), signed).toString("base64");
      return { ok: 1, conversationId: 5, done: false, payload: payload(`v=${proof(right)}`) };
    }
    if (!isIn) return { ok: 0, errmsg: "command ping requires authentication", codeName: "Unauthorized" };
    return { ok: 1, ...ping };
  };
}
