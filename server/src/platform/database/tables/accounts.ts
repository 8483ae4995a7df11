import type { Theme } from "../../access/caller.ts";
import type { Role } from "../../access/roles-and-scopes.ts";
import type { Language } from "../../i18n/render.ts";
import { bigint, flag, id, type RowOf, table, text } from "../table.ts";

/** A session that was not used for so long has ended. */
export const SESSION_IDLE_DAYS = 30;

export const ACCOUNT_TABLES = {
  organizations: table({
    columns: {
      id: id(),
      uuid: text().unique(),
      name: text(),
      slug: text().unique(),
      plan: text(),
      reports: flag(),
      created_at: bigint(),
      updated_at: bigint(),
      /** From then on retention removes everything of it; null: it stays. */
      deletes_at: bigint().nullable(),
    },
    tenant: "id",
    retention: "until deleted",
  }),
  users: table({
    columns: {
      id: id(),
      uuid: text().unique(),
      /** Lower case, unique. */
      email: text().unique(),
      name: text(),
      /** PHC string, `$argon2id$v=19$m=…`. */
      password_hash: text(),
      /** Encrypted base32 secret; null while two-factor sign-in is off. */
      totp_secret: text().nullable(),
      /** Encrypted secret that waits for its first code. */
      totp_pending: text().nullable(),
      /** The time step (30 s) of the last one-time code used; a code works once. */
      totp_last_step: bigint().default(0),
      /** How the app looks and speaks to them; null: as their browser says. */
      language: text<Language>().nullable(),
      theme: text<Theme>().nullable(),
      /** A name of the IANA database. */
      time_zone: text().nullable(),
      /** Those of the browser that they used last, for what is sent to them where they have chosen none; null: not known. */
      seen_language: text<Language>().nullable(),
      seen_time_zone: text().nullable(),
      /** Since when the address is known to be theirs; null: it is not confirmed. */
      email_confirmed_at: bigint().nullable(),
      /** When the first confirmation mail was sent; null: not yet. */
      email_confirmation_requested_at: bigint().nullable(),
      /** When the account was last recovered, since an intruder may have had it. */
      recovered_at: bigint().nullable(),
      created_at: bigint(),
      updated_at: bigint(),
    },
    tenant: null,
    retention: "until deleted",
  }),
  memberships: table({
    columns: {
      user_id: bigint().references("users"),
      organization_id: bigint().references("organizations"),
      role: text<Role>(),
      created_at: bigint(),
    },
    primaryKey: ["user_id", "organization_id"],
    tenant: "organization_id",
    retention: "until deleted",
  }),
  /** A row for each code that has not been used yet. */
  recovery_codes: table({
    columns: {
      id: id(),
      user_id: bigint().references("users"),
      /** SHA-256. */
      code_hash: text(),
      created_at: bigint(),
    },
    unique: [["user_id", "code_hash"]],
    tenant: null,
    retention: "until deleted",
  }),
  mailed_tokens: table({
    columns: {
      id: id(),
      user_id: bigint().references("users"),
      purpose: text<"reset password" | "change email">(),
      /** SHA-256 of the token. */
      token_hash: text().unique(),
      /** Where it was sent to; lower case. */
      email: text(),
      created_at: bigint(),
      expires_at: bigint(),
    },
    indexes: {
      mailed_tokens_user: "(user_id)",
      mailed_tokens_by_age: "(expires_at)",
    },
    tenant: null,
    retention: { days: 0, since: "expires_at" },
    backup: "not restored",
  }),
  invitations: table({
    columns: {
      id: id(),
      uuid: text().unique(),
      organization_id: bigint().references("organizations"),
      /** Lower case; whether it has an account does not matter. */
      email: text(),
      role: text<Role>(),
      /** Who made it: it is worth no more than they are when it is accepted. */
      inviter_id: bigint().references("users"),
      created_at: bigint(),
      expires_at: bigint(),
      /** SHA-256 of the code that the inviter hands over. */
      code_hash: text().default(""),
      /** The same of the code in the mail, which only its recipient has; null: none was sent. */
      mailed_code_hash: text().nullable(),
    },
    unique: [["organization_id", "email"]],
    indexes: {
      invitations_email: "(email)",
      invitations_code: "(code_hash)",
      invitations_mailed_code: "(mailed_code_hash)",
      invitations_by_age: "(expires_at)",
    },
    tenant: "organization_id",
    retention: { days: 0, since: "expires_at" },
    backup: "not restored",
  }),
  sessions: table({
    columns: {
      id: id(),
      /** SHA-256 of the cookie's token, hex. */
      token_hash: text().unique(),
      /** The token before the last rotation, good for a minute more. */
      previous_token_hash: text().nullable(),
      user_id: bigint().references("users"),
      organization_id: bigint().references("organizations"),
      address: text(),
      user_agent: text(),
      created_at: bigint(),
      rotated_at: bigint(),
      seen_at: bigint(),
    },
    indexes: {
      sessions_previous: "(previous_token_hash)",
      sessions_user: "(user_id)",
      sessions_by_age: "(seen_at)",
    },
    tenant: "organization_id",
    retention: { days: SESSION_IDLE_DAYS, since: "seen_at" },
    backup: "not restored",
  }),
  api_keys: table({
    columns: {
      id: id(),
      uuid: text().unique(),
      user_id: bigint().references("users"),
      organization_id: bigint().references("organizations"),
      name: text(),
      /** The first characters of the token, for recognising a key in a list. */
      prefix: text(),
      token_hash: text().unique(),
      /** JSON array of `<action>:<resource>`. */
      scopes: text(),
      last_used_at: bigint().nullable(),
      expires_at: bigint().nullable(),
      /** 1: acts in every organization of its person; 0: in its own only. */
      all_organizations: flag(),
      created_at: bigint(),
    },
    indexes: {
      api_keys_organization: "(organization_id)",
    },
    tenant: "organization_id",
    retention: "until deleted",
  }),
  audit_log: table({
    columns: {
      id: id(),
      organization_id: bigint(),
      user_id: bigint().nullable(),
      api_key_id: bigint().nullable(),
      /** Verb and resource, e.g. `create domains`. */
      action: text(),
      resource: text(),
      resource_id: text().nullable(),
      /** What it was called at that time. */
      subject: text().nullable(),
      /** What was changed from and to, such as a role; null where there is no such thing. */
      before: text().nullable(),
      after: text().nullable(),
      request_id: text(),
      address: text(),
      at: bigint(),
    },
    indexes: {
      audit_log_organization: "(organization_id, at, id)",
      audit_log_by_age: "(at)",
    },
    tenant: "organization_id",
    retention: { days: 400, since: "at" },
  }),
};

export type MailedTokenTable = RowOf<(typeof ACCOUNT_TABLES)["mailed_tokens"]>;
