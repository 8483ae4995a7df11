import { withoutUnseen } from "../texts/message.ts";

/** Of what a job sends along. */
export const MAX_MESSAGE_BYTES = 10_000;

/** What a job sent along, as text; `isCut`: it was longer. */
interface HeartbeatMessage {
  text: string;
  isCut: boolean;
}

/** The colours of a terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they begin with one.
const ESCAPES = /\x1b\[[0-9;?]*[ -/]*[@-~]/g;

/** Whatever bytes came along, as text that can be kept and shown; null where that is nothing. */
export function heartbeatMessage(bytes: Uint8Array): HeartbeatMessage | null {
  const isCut = bytes.length > MAX_MESSAGE_BYTES;
  // The end may have cut a character in two, which is then left out.
  const text = new TextDecoder().decode(bytes.subarray(0, MAX_MESSAGE_BYTES), { stream: isCut });
  const visible = text
    .replace(ESCAPES, "")
    .replace(/\r\n?/g, "\n")
    .replace(/[^\t\n\x20-\x7e\u00a0-\u{10ffff}]/gu, "\ufffd");
  const shown = withoutUnseen(visible).trimEnd();
  return shown === "" ? null : { text: shown, isCut };
}
