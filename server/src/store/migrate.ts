import { sql } from "kysely";
import type { Migration } from "kysely/migration";
import type { Db } from "./db.ts";
import { isPostgres } from "./dialect.ts";
import { listTables } from "./list-tables.ts";
import { foundation } from "./migrations/001-foundation.ts";
import { accounts } from "./migrations/002-accounts.ts";
import { packs } from "./migrations/003-packs.ts";
import { activity } from "./migrations/004-activity.ts";
import { monitorCounts } from "./migrations/005-monitor-counts.ts";
import { keysOfOneOrganization } from "./migrations/006-keys-of-one-organization.ts";
import { iconTokens } from "./migrations/007-icon-tokens.ts";
import { recheckDelay } from "./migrations/008-recheck-delay.ts";
import { transfer } from "./migrations/009-transfer.ts";
import { eventsOfAnOrganization } from "./migrations/010-events-of-an-organization.ts";
import { auditSubject } from "./migrations/011-audit-subject.ts";
import { invitations } from "./migrations/012-invitations.ts";
import { invitationCodes } from "./migrations/013-invitation-codes.ts";
import { affectedServices } from "./migrations/014-affected-services.ts";
import { facts } from "./migrations/015-facts.ts";
import { monitorsByType } from "./migrations/016-monitors-by-type.ts";
import { monitorTargets } from "./migrations/017-monitor-targets.ts";
import { recoveryCodes } from "./migrations/018-recovery-codes.ts";
import { search } from "./migrations/019-search.ts";
import { outbox } from "./migrations/020-outbox.ts";
import { mailedTokens } from "./migrations/021-mailed-tokens.ts";
import { preferences } from "./migrations/022-preferences.ts";
import { notificationReads } from "./migrations/023-notification-reads.ts";
import { deletionOfOrganizations } from "./migrations/024-deletion-of-organizations.ts";
import { auditPages } from "./migrations/025-audit-pages.ts";
import { searchTags } from "./migrations/026-search-tags.ts";
import { invitationsByCode } from "./migrations/027-invitations-by-code.ts";
import { auditValues } from "./migrations/028-audit-values.ts";
import { heartbeats } from "./migrations/030-heartbeats.ts";
import { groupMembers } from "./migrations/031-group-members.ts";
import { channels } from "./migrations/033-channels.ts";
import { incidentWork } from "./migrations/035-incident-work.ts";
import { grouping } from "./migrations/036-grouping.ts";
import { maintenance } from "./migrations/038-maintenance.ts";
import { quieterChannels } from "./migrations/040-quieter-channels.ts";
import { acknowledgedVia } from "./migrations/041-acknowledged-via.ts";
import { pushSubscriptions } from "./migrations/042-push.ts";
import { parents } from "./migrations/043-parents.ts";
import { evidence } from "./migrations/044-evidence.ts";
import { notificationSettings } from "./migrations/045-notification-settings.ts";
import { confirmedChannels } from "./migrations/047-confirmed-channels.ts";
import { browsersAsChannels } from "./migrations/048-browsers-as-channels.ts";
import { ownAddresses } from "./migrations/049-own-addresses.ts";
import { statusPages } from "./migrations/050-status-pages.ts";
import { subscribers } from "./migrations/051-subscribers.ts";
import { updateTemplates } from "./migrations/052-update-templates.ts";
import { releasedDeliveries } from "./migrations/053-released-deliveries.ts";
import { undecidedDeliveries } from "./migrations/054-undecided-deliveries.ts";
import { affectedSearch } from "./migrations/055-affected-search.ts";
import { recoveredAccounts } from "./migrations/056-recovered-accounts.ts";
import { pageDomains } from "./migrations/057-page-domains.ts";
import { deliveriesOfIncidents } from "./migrations/058-deliveries-of-incidents.ts";
import { mergedIncidents } from "./migrations/059-merged-incidents.ts";
import { toldMembers } from "./migrations/060-told-members.ts";
import { titleFacts } from "./migrations/061-title-facts.ts";
import { knownAddresses } from "./migrations/062-known-addresses.ts";
import { questionsOfLists } from "./migrations/063-questions-of-lists.ts";
import { titlesInSearch } from "./migrations/064-titles-in-search.ts";
import { mergedOutages } from "./migrations/065-merged-outages.ts";
import { turnedOffChannels } from "./migrations/066-turned-off-channels.ts";
import { toldOutages } from "./migrations/067-told-outages.ts";
import { mergedBefore } from "./migrations/068-merged-before.ts";
import { threadsOfMore } from "./migrations/069-threads-of-more.ts";
import { seenBrowsers } from "./migrations/071-seen-browsers.ts";
import { acknowledgedOutages } from "./migrations/073-acknowledged-outages.ts";
import { waitingQuestions } from "./migrations/074-waiting-questions.ts";
import { formerSlugs } from "./migrations/075-former-slugs.ts";
import { endedThreads } from "./migrations/076-ended-threads.ts";
import { outagesOfThreads } from "./migrations/077-outages-of-threads.ts";
import { devices } from "./migrations/080-devices.ts";
import { deviceMetrics } from "./migrations/081-device-metrics.ts";
import { endedCertificateNotices } from "./migrations/082-ended-certificate-notices.ts";
import { subjectsOfMessages } from "./migrations/084-subjects-of-messages.ts";
import { deviceEvents } from "./migrations/085-device-events.ts";
import { identities } from "./migrations/092-identities.ts";
import { assistants } from "./migrations/093-assistants.ts";
import { integrations } from "./migrations/094-integrations.ts";
import { deployments } from "./migrations/095-deployments.ts";
import { askedDeployments } from "./migrations/096-asked-deployments.ts";
import { objectives } from "./migrations/100-objectives.ts";
import { reportMails } from "./migrations/101-report-mails.ts";
import { chat } from "./migrations/102-chat.ts";
import { assistantCalls } from "./migrations/103-assistant-calls.ts";
import { isTableName } from "./schema.ts";

export type Migrations = Readonly<Record<string, Migration>>;

/**
 * Every migration, oldest first. The number in the name is the order; none is ever changed.
 * A new one takes the number after the highest: one left free between (070, 072) would run out of order on databases of today.
 */
export const MIGRATIONS: Migrations = {
  "001-foundation": foundation,
  "002-accounts": accounts,
  "003-packs": packs,
  "004-activity": activity,
  "005-monitor-counts": monitorCounts,
  "006-keys-of-one-organization": keysOfOneOrganization,
  "007-icon-tokens": iconTokens,
  "008-recheck-delay": recheckDelay,
  "009-transfer": transfer,
  "010-events-of-an-organization": eventsOfAnOrganization,
  "011-audit-subject": auditSubject,
  "012-invitations": invitations,
  "013-invitation-codes": invitationCodes,
  "014-affected-services": affectedServices,
  "015-facts": facts,
  "016-monitors-by-type": monitorsByType,
  "017-monitor-targets": monitorTargets,
  "018-recovery-codes": recoveryCodes,
  "019-search": search,
  "020-outbox": outbox,
  "021-mailed-tokens": mailedTokens,
  "022-preferences": preferences,
  "023-notification-reads": notificationReads,
  "024-deletion-of-organizations": deletionOfOrganizations,
  "025-audit-pages": auditPages,
  "026-search-tags": searchTags,
  "027-invitations-by-code": invitationsByCode,
  "028-audit-values": auditValues,
  "030-heartbeats": heartbeats,
  "031-group-members": groupMembers,
  "033-channels": channels,
  "035-incident-work": incidentWork,
  "036-grouping": grouping,
  "038-maintenance": maintenance,
  "040-quieter-channels": quieterChannels,
  "041-acknowledged-via": acknowledgedVia,
  "042-push": pushSubscriptions,
  "043-parents": parents,
  "044-evidence": evidence,
  "045-notification-settings": notificationSettings,
  "047-confirmed-channels": confirmedChannels,
  "048-browsers-as-channels": browsersAsChannels,
  "049-own-addresses": ownAddresses,
  "050-status-pages": statusPages,
  "051-subscribers": subscribers,
  "052-update-templates": updateTemplates,
  "053-released-deliveries": releasedDeliveries,
  "054-undecided-deliveries": undecidedDeliveries,
  "055-affected-search": affectedSearch,
  "056-recovered-accounts": recoveredAccounts,
  "057-page-domains": pageDomains,
  "058-deliveries-of-incidents": deliveriesOfIncidents,
  "059-merged-incidents": mergedIncidents,
  "060-told-members": toldMembers,
  "061-title-facts": titleFacts,
  "062-known-addresses": knownAddresses,
  "063-questions-of-lists": questionsOfLists,
  "064-titles-in-search": titlesInSearch,
  "065-merged-outages": mergedOutages,
  "066-turned-off-channels": turnedOffChannels,
  "067-told-outages": toldOutages,
  "068-merged-before": mergedBefore,
  "069-threads-of-more": threadsOfMore,
  "071-seen-browsers": seenBrowsers,
  "073-acknowledged-outages": acknowledgedOutages,
  "074-waiting-questions": waitingQuestions,
  "075-former-slugs": formerSlugs,
  "076-ended-threads": endedThreads,
  "077-outages-of-threads": outagesOfThreads,
  "080-devices": devices,
  "081-device-metrics": deviceMetrics,
  "082-ended-certificate-notices": endedCertificateNotices,
  "084-subjects-of-messages": subjectsOfMessages,
  "085-device-events": deviceEvents,
  "092-identities": identities,
  "093-assistants": assistants,
  "094-integrations": integrations,
  "095-deployments": deployments,
  "096-asked-deployments": askedDeployments,
  "100-objectives": objectives,
  "101-report-mails": reportMails,
  "102-chat": chat,
  "103-assistant-calls": assistantCalls,
};
const LOCK_ID = 7_233_351_907;
/** Which migrations were applied, and when. */
export const MIGRATION_TABLE = "migrations";

/**
 * Applies what is missing, all or nothing, and returns the names. One at a time: replicas that start
 * together wait for each other (an advisory lock on PostgreSQL, the write lock on SQLite). Throws an
 * Error made for the operator when the database is newer than this program, or somebody else's.
 */
export async function migrate(db: Db, migrations: Migrations = MIGRATIONS): Promise<string[]> {
  return db.transaction().execute(async (trx) => {
    await lockMigrations(trx);
    await refuseForeign(trx, migrations);
    return applyMigrations(trx, migrations);
  });
}

/** Until the transaction ends, no other process migrates, and no statement is cut off for its length. */
export async function lockMigrations(trx: Db): Promise<void> {
  if (!isPostgres(trx)) return;
  await sql`set local statement_timeout = 0`.execute(trx);
  await sql`select pg_advisory_xact_lock(${sql.lit(LOCK_ID)})`.execute(trx);
}

/** The missing migrations up to and including `last` (all without it), within the caller's transaction. */
export async function applyMigrations(trx: Db, migrations: Migrations, last?: string): Promise<string[]> {
  const table = sql.table(MIGRATION_TABLE);
  await sql`create table if not exists ${table} (name text primary key, applied_at bigint not null)`.execute(
    trx,
  );
  const applied = (await appliedMigrations(trx)) ?? [];
  const names = Object.keys(migrations).sort();
  const wanted = last ? names.slice(0, names.indexOf(last) + 1) : names;
  const missing = wanted.filter((name) => !applied.includes(name));
  for (const name of missing) {
    await migrations[name]?.up(trx);
    await sql`insert into ${table} (name, applied_at) values (${name}, ${Date.now()})`.execute(trx);
  }
  return missing;
}

/** Throws when the database is newer than `migrations`, or has tables of the same names that are not Vedette's. */
export async function refuseForeign(db: Db, migrations: Migrations): Promise<void> {
  const applied = await appliedMigrations(db);
  if (applied) return refuseNewer("The data", applied, migrations);
  const tables = await listTables(db);
  const ours = tables.filter(isTableName);
  if (ours.length === 0) return;
  throw new Error(
    `The database holds tables of another program (${ours.join(", ")}). Give Vedette a database of its own.`,
  );
}

/** Throws when `applied` has a migration that `migrations` lacks. `what` was written by the newer program. */
export function refuseNewer(what: string, applied: readonly string[], migrations: Migrations): void {
  const unknown = applied.find((name) => !(name in migrations));
  if (unknown === undefined) return;
  throw new Error(
    `${what} was written by a newer version of Vedette: it has the migration ${unknown}, which this version does not know. Use that version or a newer one.`,
  );
}

/** Names of the migrations the database has, oldest first; null when it never had any. */
export async function appliedMigrations(db: Db): Promise<string[] | null> {
  if (!(await listTables(db)).includes(MIGRATION_TABLE)) return null;
  const { rows } = await sql<{
    name: string;
  }>`select name from ${sql.table(MIGRATION_TABLE)} order by name`.execute(db);
  return rows.map((row) => row.name);
}
