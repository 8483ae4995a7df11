import { promisify } from "node:util";
import { constants, deflateRaw, deflateRawSync, inflateRawSync } from "node:zlib";

const FAST = { level: constants.Z_BEST_SPEED };
const deflate = promisify(deflateRaw);

/** JSON, compressed in a thread beside this one. */
export const compress = (value: unknown): Promise<Buffer> => deflate(JSON.stringify(value), FAST);

/** The same at once, for what is small. */
export const compressNow = (value: unknown): Buffer => deflateRawSync(JSON.stringify(value), FAST);

/** What was compressed. Throws for other bytes. */
export const uncompress = <T>(bytes: Uint8Array): T => JSON.parse(inflateRawSync(bytes).toString()) as T;
