import { randomUUID } from "node:crypto";
import { constants, crc32, deflateRawSync } from "node:zlib";
import type { Tool } from "@modelcontextprotocol/server";
import { keepRecent } from "../../recent.ts";
import { ownTurn } from "../../turns.ts";
import type { ListedTool } from "../tools/list-tools.ts";

/** A list of tools as it is sent: written once, compressed once, for all who may use the same tools. */
export interface ToolList {
  json: Buffer;
  /** For the middle of a stream of deflate: it ends at a byte, and needs nothing that came before. */
  deflated: Buffer;
}

/** Each has some 600 kB, and people of the same rights share one. */
const KEPT = 8;

const lists = keepRecent<string, ToolList>(KEPT);

/**
 * These tools, as they are sent. `isChoice`: the client has chosen some, in one of millions of ways; no other is sent the same,
 * so that the list takes the place of none that is kept, and is written in a turn of its own.
 */
export async function toolListOf(tools: readonly ListedTool[], isChoice: boolean): Promise<ToolList> {
  const key = tools.map(({ name }) => name).join(" ");
  const kept = lists.get(key);
  if (kept) return kept;
  if (isChoice) await ownTurn();
  const json = Buffer.from(JSON.stringify(tools.map(({ told }) => told)).slice(1, -1));
  const deflated = deflateRawSync(json, {
    level: constants.Z_BEST_SPEED,
    finishFlush: constants.Z_FULL_FLUSH,
  });
  const list = { json, deflated };
  if (!isChoice) lists.set(key, list);
  return list;
}

/**
 * Stands for a list in an answer while the SDK writes that: a tool of a name that nobody can guess. So each revision gets the
 * envelope that it knows, and half a megabyte is not written anew for each who asks.
 */
export interface Placeholder {
  tool: Tool;
  written: string;
  list: ToolList;
}

export function placeholderFor(list: ToolList): Placeholder {
  const tool: Tool = { name: randomUUID(), inputSchema: { type: "object" } };
  return { tool, written: JSON.stringify(tool), list };
}

/** An answer with the list in the place of what stands for it, as gzip where the client takes that. Throws where it is not there. */
export function withList(
  text: string,
  { written, list }: Placeholder,
  takesGzip: boolean,
): { body: Buffer; encoding: "gzip" | null } {
  const at = text.indexOf(written);
  if (at < 0) throw new Error("The SDK wrote a list of tools in another way than expected");
  const [before, after] = [text.slice(0, at), text.slice(at + written.length)].map((part) =>
    Buffer.from(part),
  ) as [Buffer, Buffer];
  if (!takesGzip) return { body: Buffer.concat([before, list.json, after]), encoding: null };
  return { body: gzipOf(before, list, after), encoding: "gzip" };
}

/** RFC 1952: magic number, deflate, no flags, no time, no hint, no system. */
const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);

function gzipOf(before: Buffer, { json, deflated }: ToolList, after: Buffer): Buffer {
  const begin = deflateRawSync(before, { finishFlush: constants.Z_FULL_FLUSH });
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc32(after, crc32(json, crc32(before))), 0);
  trailer.writeUInt32LE(before.length + json.length + after.length, 4);
  return Buffer.concat([GZIP_HEADER, begin, deflated, deflateRawSync(after), trailer]);
}
