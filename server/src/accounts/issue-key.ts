import { randomUUIDv7 } from "node:crypto";
import { type ApiKey, insertKey } from "../platform/access/queries/api-keys.ts";
import { listOrganizationsOf } from "../platform/access/queries/organizations.ts";
import { findUser, findUserByEmail, type User } from "../platform/access/queries/users.ts";
import { hashToken, randomToken } from "../platform/access/random-tokens.ts";
import { isScope } from "../platform/access/roles-and-scopes.ts";
import type { Clock } from "../platform/clock.ts";
import type { Db } from "../platform/database/schema.ts";
import { type FieldErrors, invalidInput, notFound } from "../platform/errors.ts";
import { nameProblem } from "../platform/formats/name.ts";
import { msg } from "../platform/i18n/message.ts";

const PREFIX_LENGTH = 8;

interface NewKey {
  /** Either of the two. */
  userId?: number;
  email?: string;
  /** Default: the person's oldest organization. */
  organizationId?: number;
  name: string;
  scopes: readonly string[];
  /** Milliseconds; absent or null: never. */
  expiresAt?: number | null;
  /** Maximum of `expiresAt`, milliseconds; absent or null: none. */
  endsBy?: number | null;
  /** Default: its own organization only. */
  allOrganizations?: boolean | undefined;
}

export interface CreatedKey extends ApiKey {
  /** Shown this once; only its hash is stored. */
  token: string;
  organizationId: number;
}

/**
 * Throws 404 for an unknown person or an organization that is not theirs, 422 for a bad name, scope or
 * expiry.
 */
export async function issueKey({ db, clock }: { db: Db; clock: Clock }, input: NewKey): Promise<CreatedKey> {
  const now = clock.now();
  const name = input.name.trim();
  checkKey({ ...input, name }, now);
  const user = await findPerson(db, input);
  const organizations = user ? await listOrganizationsOf(db, user.id) : [];
  const organization = organizations.find(
    ({ id }) => input.organizationId === undefined || id === input.organizationId,
  );
  if (!user || !organization) throw notFound();
  const token = `vdt_${randomToken()}`;
  const key = {
    uuid: randomUUIDv7(),
    userId: user.id,
    organizationId: organization.id,
    name,
    prefix: token.slice(0, "vdt_".length + PREFIX_LENGTH),
    scopes: [...new Set(input.scopes)],
    expiresAt: input.expiresAt ?? null,
    allOrganizations: input.allOrganizations ?? false,
  };
  const id = await insertKey(db, { ...key, tokenHash: hashToken(token) }, now);
  return { id, ...key, userName: user.name, lastUsedAt: null, createdAt: now, token };
}

async function findPerson(db: Db, input: NewKey): Promise<User | undefined> {
  if (input.userId !== undefined) return findUser(db, input.userId);
  return input.email === undefined ? undefined : findUserByEmail(db, input.email);
}

function checkKey(input: NewKey, now: number): void {
  const fields: FieldErrors = {};
  const problem = nameProblem(input.name);
  if (problem) fields.name = [problem];
  if (input.scopes.length === 0) fields.scopes = [msg("input.required", { field: "scopes" })];
  input.scopes.forEach((scope, at) => {
    if (isScope(scope)) return;
    fields[`scopes.${at}`] = [msg("account.scope", { scope })];
  });
  if (input.expiresAt != null && input.expiresAt <= now) {
    fields.expiresAt = [msg("input.future", { field: "expiresAt" })];
  } else if (input.endsBy != null && (input.expiresAt ?? Number.POSITIVE_INFINITY) > input.endsBy) {
    const latest = new Date(input.endsBy).toISOString();
    fields.expiresAt = [msg("account.key_end", { latest })];
  }
  if (Object.keys(fields).length > 0) throw invalidInput(fields);
}
