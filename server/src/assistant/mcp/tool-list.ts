import { randomUUID } from "node:crypto";
import { constants, crc32, deflateRawSync } from "node:zlib";
import type { Tool } from "@modelcontextprotocol/server";
import { keepRecent } from "../../platform/lru-cache.ts";
import { ownTurn } from "../../platform/turns.ts";
import type { ListedTool } from "../tools/list-tools.ts";

/** Serialized and compressed once for all callers who may use the same tools. */
interface ToolList {
  json: Buffer;
  /** A part of a deflate stream: it ends at a byte boundary and refers to nothing before it. */
  deflated: Buffer;
}

/** Some 600 kB each; people of the same rights share one. */
const MAX_LISTS = 8;

const lists = keepRecent<string, ToolList>(MAX_LISTS);

/**
 * `isChoice`: the client has chosen tools, in one of millions of ways; such a list is not cached, since no
 * other client shares it.
 */
export async function toolListOf(tools: readonly ListedTool[], isChoice: boolean): Promise<ToolList> {
  const key = tools.map(({ name }) => name).join(" ");
  const cached = lists.get(key);
  if (cached) return cached;
  if (isChoice) await ownTurn();
  const json = Buffer.from(JSON.stringify(tools.map(({ schema }) => schema)).slice(1, -1));
  const deflated = deflateRawSync(json, {
    level: constants.Z_BEST_SPEED,
    finishFlush: constants.Z_FULL_FLUSH,
  });
  const list = { json, deflated };
  if (!isChoice) lists.set(key, list);
  return list;
}

/**
 * Replaces a list while the SDK serializes the answer, under an unguessable tool name: each revision gets its
 * envelope, and half a megabyte is not serialized for each request.
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

/**
 * The answer with the list instead of its placeholder, gzipped where the client accepts that. Throws if it is
 * missing.
 */
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
