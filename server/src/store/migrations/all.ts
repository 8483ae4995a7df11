import type { Migration } from "kysely/migration";
import { foundation } from "./001-foundation.ts";
import { accounts } from "./002-accounts.ts";
import { packs } from "./003-packs.ts";
import { activity } from "./004-activity.ts";
import { monitorCounts } from "./005-monitor-counts.ts";
import { keysOfOneOrganization } from "./006-keys-of-one-organization.ts";
import { iconTokens } from "./007-icon-tokens.ts";
import { recheckDelay } from "./008-recheck-delay.ts";
import { transfer } from "./009-transfer.ts";
import { eventsOfAnOrganization } from "./010-events-of-an-organization.ts";
import { auditSubject } from "./011-audit-subject.ts";
import { invitations } from "./012-invitations.ts";
import { invitationCodes } from "./013-invitation-codes.ts";
import { affectedServices } from "./014-affected-services.ts";
import { facts } from "./015-facts.ts";
import { monitorsByType } from "./016-monitors-by-type.ts";
import { monitorTargets } from "./017-monitor-targets.ts";
import { recoveryCodes } from "./018-recovery-codes.ts";
import { search } from "./019-search.ts";
import { outbox } from "./020-outbox.ts";
import { mailedTokens } from "./021-mailed-tokens.ts";
import { preferences } from "./022-preferences.ts";
import { notificationReads } from "./023-notification-reads.ts";
import { deletionOfOrganizations } from "./024-deletion-of-organizations.ts";
import { auditPages } from "./025-audit-pages.ts";
import { searchTags } from "./026-search-tags.ts";
import { invitationsByCode } from "./027-invitations-by-code.ts";
import { auditValues } from "./028-audit-values.ts";
import { heartbeats } from "./030-heartbeats.ts";
import { groupMembers } from "./031-group-members.ts";
import { channels } from "./033-channels.ts";
import { incidentWork } from "./035-incident-work.ts";
import { grouping } from "./036-grouping.ts";
import { maintenance } from "./038-maintenance.ts";
import { quieterChannels } from "./040-quieter-channels.ts";
import { acknowledgedVia } from "./041-acknowledged-via.ts";
import { pushSubscriptions } from "./042-push.ts";
import { parents } from "./043-parents.ts";
import { evidence } from "./044-evidence.ts";
import { notificationSettings } from "./045-notification-settings.ts";
import { confirmedChannels } from "./047-confirmed-channels.ts";
import { browsersAsChannels } from "./048-browsers-as-channels.ts";
import { ownAddresses } from "./049-own-addresses.ts";
import { statusPages } from "./050-status-pages.ts";
import { subscribers } from "./051-subscribers.ts";
import { updateTemplates } from "./052-update-templates.ts";
import { releasedDeliveries } from "./053-released-deliveries.ts";
import { undecidedDeliveries } from "./054-undecided-deliveries.ts";
import { affectedSearch } from "./055-affected-search.ts";
import { recoveredAccounts } from "./056-recovered-accounts.ts";
import { pageDomains } from "./057-page-domains.ts";
import { deliveriesOfIncidents } from "./058-deliveries-of-incidents.ts";
import { mergedIncidents } from "./059-merged-incidents.ts";
import { toldMembers } from "./060-told-members.ts";
import { titleFacts } from "./061-title-facts.ts";
import { knownAddresses } from "./062-known-addresses.ts";
import { questionsOfLists } from "./063-questions-of-lists.ts";
import { titlesInSearch } from "./064-titles-in-search.ts";
import { mergedOutages } from "./065-merged-outages.ts";
import { turnedOffChannels } from "./066-turned-off-channels.ts";
import { toldOutages } from "./067-told-outages.ts";
import { mergedBefore } from "./068-merged-before.ts";
import { threadsOfMore } from "./069-threads-of-more.ts";
import { seenBrowsers } from "./071-seen-browsers.ts";
import { acknowledgedOutages } from "./073-acknowledged-outages.ts";
import { waitingQuestions } from "./074-waiting-questions.ts";
import { formerSlugs } from "./075-former-slugs.ts";
import { endedThreads } from "./076-ended-threads.ts";
import { outagesOfThreads } from "./077-outages-of-threads.ts";
import { devices } from "./080-devices.ts";
import { deviceMetrics } from "./081-device-metrics.ts";
import { endedCertificateNotices } from "./082-ended-certificate-notices.ts";
import { subjectsOfMessages } from "./084-subjects-of-messages.ts";
import { deviceEvents } from "./085-device-events.ts";
import { identities } from "./092-identities.ts";
import { assistants } from "./093-assistants.ts";
import { integrations } from "./094-integrations.ts";
import { deployments } from "./095-deployments.ts";
import { chat } from "./102-chat.ts";
import { assistantCalls } from "./103-assistant-calls.ts";
import { askedDeployments } from "./104-asked-deployments.ts";
import { objectives } from "./105-objectives.ts";
import { reportMails } from "./106-report-mails.ts";
import { externalMails } from "./113-external-mails.ts";
import { usedLinkStates } from "./114-used-link-states.ts";
import { endedAssistantSessions } from "./115-ended-assistant-sessions.ts";
import { offlineTimes } from "./123-offline-times.ts";
import { descriptions } from "./127-descriptions.ts";
import { rowsByAge } from "./131-rows-by-age.ts";
import { healthTitles } from "./135-health-titles.ts";
import { addedSubscribers } from "./139-added-subscribers.ts";
import { alerts } from "./150-alerts.ts";
import { remindersBySeverity } from "./151-reminders-by-severity.ts";
import { refusals } from "./152-refusals.ts";

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
  "102-chat": chat,
  "103-assistant-calls": assistantCalls,
  "104-asked-deployments": askedDeployments,
  "105-objectives": objectives,
  "106-report-mails": reportMails,
  "113-external-mails": externalMails,
  "114-used-link-states": usedLinkStates,
  "115-ended-assistant-sessions": endedAssistantSessions,
  "123-offline-times": offlineTimes,
  "127-descriptions": descriptions,
  "131-rows-by-age": rowsByAge,
  "135-health-titles": healthTitles,
  "139-added-subscribers": addedSubscribers,
  "150-alerts": alerts,
  "151-reminders-by-severity": remindersBySeverity,
  "152-refusals": refusals,
};
