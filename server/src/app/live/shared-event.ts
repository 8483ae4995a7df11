import type { LiveReader } from "../../platform/context.ts";
import type { StoredEvent } from "../../platform/database/events.ts";
import type { LiveEventType } from "../../platform/live-events.ts";
import { toSnake } from "../../platform/operations/snake-case.ts";
import type { Cursors } from "./cursor.ts";
import { LIVE_EVENTS } from "./schemas.ts";

/** What an event costs to keep besides its payload. */
const OVERHEAD_BYTES = 200;

/** An event as it is sent to every subscriber of its organization: serialized once for each family, when first needed. */
export interface SharedEvent {
  id: number;
  type: LiveEventType;
  /** JSON, in the words of the older family. */
  payload: string;
  /** Approximate; a multiple of it if both families are read. */
  sizeBytes: number;
  text(family: LiveReader["family"]): Buffer;
}

/** Null for what clients never receive: internal types, and those of a newer server. */
export function shareEvent(event: StoredEvent, cursors: Cursors): SharedEvent | null {
  const { id, organizationId, type, payload } = event;
  if (!isLiveType(type)) return null;
  const texts: Partial<Record<LiveReader["family"], Buffer>> = {};
  const write = (data: string) =>
    Buffer.from(`id: ${cursors.ofEvent(organizationId, id)}\nevent: ${type}\ndata: ${data}\n\n`);
  return {
    id,
    type,
    payload,
    sizeBytes: Buffer.byteLength(payload) + OVERHEAD_BYTES,
    // JSON has no line breaks, so one `data` line is enough.
    text: (family) => (texts[family] ??= write(family === "v2" ? inSnakeCase(type, payload) : payload)),
  };
}

const isLiveType = (type: string): type is LiveEventType => Object.hasOwn(LIVE_EVENTS, type);

const inSnakeCase = (type: LiveEventType, payload: string): string =>
  JSON.stringify(toSnake(LIVE_EVENTS[type].data, JSON.parse(payload)));
