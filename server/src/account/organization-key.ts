import type { OrganizationKey } from "../store/queries/organizations.ts";
import { readId } from "../wire/field.ts";

/** Reads how a person names an organization: its id, its uuid, or else its slug (which is never only digits). */
export const parseOrganizationKey = (text: string): OrganizationKey => readId(text) ?? { slug: text };
