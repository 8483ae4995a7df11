/** What the app and the command line share of an import: rules of the API's clients, which need nothing of Node. */

/** Monitors a request: there is progress to see, and what was made before a failure is made. */
const MONITORS_PER_REQUEST = 100;

/** What is requested of the API for a part of a file. */
export interface ImportPart {
  dryRun: false;
  from: number;
  limit: number;
}

/** Makes the monitors of a file in several requests, and yields the answer to each. `send` waits where it is limited. */
export async function* importInParts<Answer extends { next: number | null }>(
  send: (part: ImportPart) => Promise<Answer>,
): AsyncGenerator<Answer> {
  for (let from: number | null = 0; from !== null; ) {
    const answer: Answer = await send({ dryRun: false, from, limit: MONITORS_PER_REQUEST });
    from = answer.next;
    yield answer;
  }
}

/** Whether an entry is imported, but not with everything that the file says of it. */
export const isNoted = ({ outcome, notes }: { outcome: string; notes: readonly unknown[] }): boolean =>
  notes.length > 0 && (outcome === "create" || outcome === "created");

/** With which bytes the file of a database (SQLite) begins. */
const DATABASE_START = "SQLite format 3\0";
/** How the base64 of a database begins, and that of one which is packed by gzip. */
const BASE64_START = "U1FMaXRlIGZvcm1hdCAz";
const PACKED_START = "H4sI";

/** How many bytes `isDatabaseFile` needs. */
export const DATABASE_START_BYTES = DATABASE_START.length;

/** Whether these are the first bytes of a database. */
export const isDatabaseFile = (bytes: Uint8Array): boolean =>
  String.fromCharCode(...bytes.subarray(0, DATABASE_START_BYTES)) === DATABASE_START;

/** Whether a content is a packed database, in base64. */
export const isPackedDatabase = (content: string): boolean => content.startsWith(PACKED_START);

/** Whether a content is a database rather than a text, in base64. */
export const isDatabase = (content: string): boolean =>
  content.startsWith(BASE64_START) || isPackedDatabase(content);

/**
 * A file's text: UTF-16 where a byte order mark says so, UTF-8, or else what spreadsheets write in western Europe
 * (windows-1252), which any bytes are.
 */
export function decodeFile(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
