import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

const BLOCK_BYTES = 16;
const NUMBER_BYTES = 6;
const NONCE_AT = 2 * NUMBER_BYTES;
const TEXT = /^[\w-]{22}$/;

/**
 * Numbers of the log, which spans all organizations, would reveal how much happens at others: cursors reveal
 * nothing, not even their order.
 */
export interface Cursors {
  /** Of an event: the same each time, so that its text can be shared. */
  ofEvent(organizationId: number, id: number): string;
  /** Of a moment: another one each time, so that it does not reveal whether anything happened elsewhere. */
  ofPosition(organizationId: number, id: number): string;
  /** The number; null for what this installation never gave to this organization. */
  open(organizationId: number, text: string): number | null;
}

/** `key`: 32 bytes. A cursor is one AES-256 block of number, organization and nonce, as base64url. */
export function createCursors(key: Buffer): Cursors {
  const cipher = createCipheriv("aes-256-ecb", key, null).setAutoPadding(false);
  const decipher = createDecipheriv("aes-256-ecb", key, null).setAutoPadding(false);
  const seal = (organizationId: number, id: number, nonce: Buffer | null): string => {
    const block = Buffer.alloc(BLOCK_BYTES);
    block.writeUIntBE(id, 0, NUMBER_BYTES);
    block.writeUIntBE(organizationId, NUMBER_BYTES, NUMBER_BYTES);
    nonce?.copy(block, NONCE_AT);
    return cipher.update(block).toString("base64url");
  };
  return {
    ofEvent: (organizationId, id) => seal(organizationId, id, null),
    ofPosition: (organizationId, id) => seal(organizationId, id, randomBytes(BLOCK_BYTES - NONCE_AT)),
    open(organizationId, text) {
      const sealed = TEXT.test(text) ? Buffer.from(text, "base64url") : null;
      if (sealed?.length !== BLOCK_BYTES) return null;
      const block = decipher.update(sealed);
      if (block.readUIntBE(NUMBER_BYTES, NUMBER_BYTES) !== organizationId) return null;
      return block.readUIntBE(0, NUMBER_BYTES);
    },
  };
}
