import type { Generated } from "kysely";
import type { Theme } from "../../account/preferences.ts";
import type { Role } from "../../account/scopes.ts";
import type { Language } from "../../texts/languages.ts";
import { table } from "../table.ts";
import type { Flag } from "./values.ts";

/** A session that nobody has used for so long has ended. */
export const SESSION_IDLE_DAYS = 30;

export interface OrganizationTable {
  id: Generated<number>;
  uuid: string;
  name: string;
  slug: string;
  plan: string;
  reports: Flag;
  created_at: number;
  updated_at: number;
  /** From then on retention removes everything of it; null: it stays. */
  deletes_at: number | null;
}

export interface UserTable {
  id: Generated<number>;
  uuid: string;
  /** Lower case, unique. */
  email: string;
  name: string;
  /** PHC string, `$argon2id$v=19$m=…`. */
  password_hash: string;
  /** Encrypted base32 secret; null while two-factor sign-in is off. */
  totp_secret: string | null;
  /** Encrypted secret that waits for its first code. */
  totp_pending: string | null;
  /** The time step (30 s) of the last one-time code used; a code works once. */
  totp_last_step: Generated<number>;
  /** How the app looks and speaks to them; null: as their browser says. */
  language: Language | null;
  theme: Theme | null;
  /** A name of the IANA database. */
  time_zone: string | null;
  /** Those of the browser that they used last, for what is sent to them where they have chosen none; null: not known. */
  seen_language: Generated<Language | null>;
  seen_time_zone: Generated<string | null>;
  /** Since when the address is known to be theirs; null: nobody has shown that. */
  email_confirmed_at: Generated<number | null>;
  /** When they were asked that by mail first; null: not yet. */
  email_asked_at: Generated<number | null>;
  /** When the account was last given back to its person, since somebody else may have had it. */
  recovered_at: Generated<number | null>;
  created_at: number;
  updated_at: number;
}

export interface MembershipTable {
  user_id: number;
  organization_id: number;
  role: Role;
  created_at: number;
}

/** A row for each code that has not been used yet. */
export interface RecoveryCodeTable {
  id: Generated<number>;
  user_id: number;
  /** SHA-256. */
  code_hash: string;
  created_at: number;
}

/** A link that was sent by mail and has not been followed yet. */
export interface MailedTokenTable {
  id: Generated<number>;
  user_id: number;
  purpose: "reset password" | "change email";
  /** SHA-256 of the token. */
  token_hash: string;
  /** Where it was sent to; lower case. */
  email: string;
  created_at: number;
  expires_at: number;
}

export interface InvitationTable {
  id: Generated<number>;
  uuid: string;
  organization_id: number;
  /** Lower case; whether it has an account does not matter. */
  email: string;
  role: Role;
  /** Who made it: it is worth no more than they are when it is accepted. */
  inviter_id: number;
  created_at: number;
  expires_at: number;
  /** SHA-256 of the code that the inviter hands over. */
  code_hash: Generated<string>;
  /** The same of the code in the mail, which nobody else has; null: none was sent. */
  mailed_code_hash: Generated<string | null>;
}

export interface SessionTable {
  id: Generated<number>;
  /** SHA-256 of the cookie's token, hex. */
  token_hash: string;
  /** The token before the last rotation, good for a minute more. */
  previous_token_hash: string | null;
  user_id: number;
  organization_id: number;
  address: string;
  user_agent: string;
  created_at: number;
  rotated_at: number;
  seen_at: number;
}

export interface ApiKeyTable {
  id: Generated<number>;
  uuid: string;
  user_id: number;
  organization_id: number;
  name: string;
  /** The first characters of the token, for recognising a key in a list. */
  prefix: string;
  token_hash: string;
  /** JSON array of `<action>:<resource>`. */
  scopes: string;
  last_used_at: number | null;
  expires_at: number | null;
  /** 1: acts in every organization of its person; 0: in its own only. */
  all_organizations: Flag;
  created_at: number;
}

export interface AuditTable {
  id: Generated<number>;
  organization_id: number;
  user_id: number | null;
  api_key_id: number | null;
  /** Verb and resource, e.g. `create domains`. */
  action: string;
  resource: string;
  resource_id: string | null;
  /** What it was called at that time. */
  subject: string | null;
  /** What was changed from and to, such as a role; null where there is no such thing. */
  before: string | null;
  after: string | null;
  request_id: string;
  address: string;
  at: number;
}

/** Tables of people and their organizations. */
export const ACCOUNT_TABLES = {
  organizations: table<OrganizationTable>({ tenant: "id", retention: "kept" }),
  users: table<UserTable>({ tenant: null, retention: "kept" }),
  memberships: table<MembershipTable>({ tenant: "organization_id", retention: "kept" }),
  recovery_codes: table<RecoveryCodeTable>({ tenant: null, retention: "kept" }),
  mailed_tokens: table<MailedTokenTable>({
    tenant: null,
    retention: { days: 0, since: "expires_at" },
    backup: "not restored",
  }),
  invitations: table<InvitationTable>({
    tenant: "organization_id",
    retention: { days: 0, since: "expires_at" },
    backup: "not restored",
  }),
  sessions: table<SessionTable>({
    tenant: "organization_id",
    retention: { days: SESSION_IDLE_DAYS, since: "seen_at" },
    backup: "not restored",
  }),
  api_keys: table<ApiKeyTable>({ tenant: "organization_id", retention: "kept" }),
  audit_log: table<AuditTable>({
    tenant: "organization_id",
    retention: { days: 400, since: "at" },
  }),
};
