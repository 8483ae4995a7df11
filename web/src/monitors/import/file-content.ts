import { decodeFile } from "../../../../server/src/wire/decode-file.ts";
import { DATABASE_START_BYTES, isDatabaseFile } from "../../../../server/src/wire/import-client.ts";

/** What the API takes of a database at most, packed and as base64. */
const mostCharacters = 7 * 1024 * 1024;

/** A file as the API takes it: its text, or a database packed, as base64. Null: it is too large even so. */
export async function contentOf(file: File): Promise<string | null> {
  const start = new Uint8Array(await file.slice(0, DATABASE_START_BYTES).arrayBuffer());
  if (!isDatabaseFile(start)) return decodeFile(new Uint8Array(await file.arrayBuffer()));
  const packed = await new Response(file.stream().pipeThrough(new CompressionStream("gzip"))).blob();
  if ((packed.size * 4) / 3 > mostCharacters) return null;
  const address = await dataAddressOf(packed);
  return address.slice(address.indexOf(",") + 1);
}

/** `data:…;base64,…` */
function dataAddressOf(blob: Blob): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const reader = new FileReader();
  reader.addEventListener("load", () => resolve(reader.result as string));
  reader.addEventListener("error", () => reject(reader.error ?? new Error("The file cannot be read.")));
  reader.readAsDataURL(blob);
  return promise;
}
