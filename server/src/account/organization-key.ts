import type { OrganizationKey } from "../store/queries/organizations.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Reads how a person names an organization: its id, its uuid, or else its slug (which is never only digits). */
export function parseOrganizationKey(text: string): OrganizationKey {
  if (/^[1-9]\d{0,14}$/.test(text)) return { id: Number(text) };
  if (UUID.test(text)) return { uuid: text.toLowerCase() };
  return { slug: text };
}
