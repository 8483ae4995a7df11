import { type Static, Type } from "typebox";
import { harmless } from "../../platform/secrets/config-secrets.ts";
import type { HttpChannelKind } from "./kind.ts";
import { endsProblem, textAt } from "./message.ts";
import { plainText } from "./message-words.ts";
import { below, headerText, serverUrl } from "./post.ts";

const matrixConfigSchema = Type.Object(
  {
    server: serverUrl("The homeserver.", "https://matrix.org"),
    room: Type.String({
      pattern: "^![^\\s/]{1,254}$",
      description: "The id of a room that the account is in, not its alias.",
      examples: ["!636q39766251:example.com"],
      ...harmless,
    }),
    token: headerText("The access token of the account that writes."),
  },
  {
    additionalProperties: false,
    title: "Matrix",
    description: "Writes into a room that is not encrypted.",
  },
);

type MatrixConfig = Static<typeof matrixConfigSchema>;

/** Of an event, with all that the servers add: 65,536 bytes. */
const MAX_TEXT = 10_000;
/** The installation over there has reached a limit of its own: it says so with 403. */
const FULL_PAUSE_MS = 600_000;

/**
 * A room of Matrix (Client-Server API: Sending events to a room, Event replacements, Rich replies). The end of an outage
 * replaces the message that announced it; messages in between reply to it.
 */
export const matrixChannel: HttpChannelKind<MatrixConfig> = {
  type: "matrix",
  isSelfHosted: true,
  supportsAcknowledgement: true,
  configSchema: matrixConfigSchema,
  target: ({ room }) => room,
  request({ server, room, token }, { id, words, message, reference }) {
    const content = {
      msgtype: "m.text",
      body: plainText({ ...words, text: `${words.title}\n\n${words.text}` }, MAX_TEXT),
      // No user is mentioned, whatever a monitor is called.
      "m.mentions": {},
    };
    const path = `/_matrix/client/v3/rooms/${encodeURIComponent(room)}/send/m.room.message/${encodeURIComponent(id)}`;
    return {
      method: "PUT",
      url: below(server, path),
      headers: { authorization: `Bearer ${token}` },
      body: { json: related(content, reference, endsProblem(message)) },
    };
  },
  evaluate({ status, header, body }) {
    const code = textAt(body, "errcode");
    const afterMs = Number(textAt(body, "retry_after_ms"));
    // Older servers have no Retry-After.
    if (status === 429 && header("retry-after") === undefined && afterMs > 0) return { afterMs };
    if (code === "M_RESOURCE_LIMIT_EXCEEDED") return { afterMs: FULL_PAUSE_MS };
    if (code === "M_UNKNOWN_TOKEN" || code === "M_FORBIDDEN") return "ended";
    return status === 400 && /relation to unknown event/i.test(body) ? "unknown" : undefined;
  },
  reference: ({ body }) => textAt(body, "event_id"),
};

interface Content {
  body: string;
}

function related(content: Content, reference: string | null, isEnd: boolean): object {
  if (reference === null) return content;
  if (!isEnd) return { ...content, "m.relates_to": { "m.in_reply_to": { event_id: reference } } };
  // What is outside is for programs that know no replacements.
  return {
    ...content,
    body: `* ${content.body}`,
    "m.new_content": content,
    "m.relates_to": { rel_type: "m.replace", event_id: reference },
  };
}
