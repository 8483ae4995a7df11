import type { FieldSchema } from "./schema.ts";

/** Whether an address is typed here, so that a phone offers the keys for it. */
export const isAddress = (schema: FieldSchema): boolean => /ur[il]/.test(schema.format ?? "");
