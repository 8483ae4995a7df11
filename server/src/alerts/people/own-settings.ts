import { Type } from "typebox";
import { hostProblem } from "../../checks/guard.ts";
import type { Caller } from "../../platform/access/caller.ts";
import { isPermitted } from "../../platform/access/check-access.ts";
import { isOlderThanRecovery } from "../../platform/access/queries/api-keys.ts";
import {
  listOrganizationsOf,
  lockOrganization,
  type OwnOrganization,
} from "../../platform/access/queries/organizations.ts";
import { findUser, lockUser, type User } from "../../platform/access/queries/users.ts";
import { isAtLeast, type Role } from "../../platform/access/roles-and-scopes.ts";
import { type FieldErrors, invalidInput, PublicError } from "../../platform/errors.ts";
import { ianaName } from "../../platform/formats/formats.ts";
import { webUrlProblem } from "../../platform/formats/url.ts";
import { type MessageDescriptor, msg } from "../../platform/i18n/message.ts";
import { readerOf } from "../../platform/i18n/reader.ts";
import { type Running, verb } from "../../platform/operations/operation.ts";
import type { Hours } from "../channels/filter.ts";
import { hostOf } from "../channels/post.ts";
import { newSecret } from "../channels/webhook.ts";
import { sendsMail } from "../mail/send-mail.ts";
import { hoursOf } from "../operations/apply-channel.ts";
import { requestConsent } from "../operations/consent.ts";
import { keepTry, tryChannel } from "../operations/test-channel.ts";
import type { Channel } from "../queries/channels.ts";
import { readNotificationSettings, saveNotificationSettings } from "../queries/notification-settings.ts";
import { alignOwnChannels, findOwnChannel } from "../queries/own-channels.ts";
import { ChannelTest, projectChannelTest } from "../schemas/channels.ts";
import {
  maskedUrl,
  NotificationSettings,
  NotificationSettingsChange,
  type OpenAddresses,
  OwnTest,
  projectSettings,
  type SettingsChange,
} from "../schemas/notifications.ts";
import {
  nextReportAt,
  type OwnTarget,
  ownChannels,
  type ReportMailKind,
  type NotificationSettings as Settings,
} from "./settings.ts";
import { isWaiting, reachOf } from "./trusted-address.ts";

/** What a person wants to be notified of, and how. */
export const getNotificationSettings = verb({
  resource: "notifications",
  action: "read",
  input: Type.Object({}),
  output: NotificationSettings,
  run: (ctx) => showOwnSettings(ctx),
});

/**
 * Changes what is given of it and leaves the rest; in force at once, in each of the person's organizations. Throws 422 with
 * every field that is wrong, 403 for a key that may not act in all of these.
 */
export const updateNotificationSettings = verb({
  resource: "notifications",
  action: "write",
  role: "viewer",
  // It concerns only the caller.
  audit: null,
  input: NotificationSettingsChange,
  output: NotificationSettings,
  async run(ctx, change) {
    const { db, caller, clock } = ctx;
    await assertEverywhere(ctx);
    const person = await lockUser(db, caller.userId);
    const before = await readNotificationSettings(db, caller.userId);
    const settings = changed(ctx, { before, change, person });
    await saveNotificationSettings(db, caller.userId, settings, clock.now());
    await alignOwnChannels(db, caller.userId, clock.now());
    return showOwnSettings(ctx);
  },
});

/**
 * A key of one organization must not redirect or suppress what other organizations send to the person; nor may a key made by a
 * former owner of the account.
 */
async function assertEverywhere({ db, caller }: Running): Promise<void> {
  if (caller.apiKeyId !== null && (await isOlderThanRecovery(db, caller.apiKeyId))) {
    throw new PublicError("forbidden", msg("access.recovered"));
  }
  if (caller.allOrganizations || (await listOrganizationsOf(db, caller.userId)).length <= 1) return;
  throw new PublicError("forbidden", msg("access.own_organization"));
}

/** Whether the caller may change them, or channels in that role; a key that only reads sees no secret of either. */
const mayChange = (caller: Caller, role: Role): boolean =>
  isPermitted(caller, { action: "write", resource: "notifications", features: [], role });

/** The caller's settings as they may see them, with what keeps messages from where they go. */
async function showOwnSettings(ctx: Running) {
  const { db, caller } = ctx;
  const settings = await readNotificationSettings(db, caller.userId);
  const person = await findUser(db, caller.userId);
  const email = person?.email ?? "";
  const mail = await findOwnChannel(db, caller, "email");
  const emailProblem = mailProblem(ctx, mail);
  // Browsers are listed beside the settings (alerts/push/browsers.ts).
  const targets = ownChannels(settings, email, []).flatMap(({ type, target, disabledReason }) => {
    const problem = type === "email" ? emailProblem : disabledReason;
    return type === "push" ? [] : [{ type, target, problem }];
  });
  const sees = { address: mayChange(caller, "viewer"), secret: mayChange(caller, "admin") };
  const organizations = await listOrganizationsOf(db, caller.userId);
  const isSent = emailProblem === null && sendsMail(ctx.config) && organizations.some(hasReports);
  const schedule = scheduleOf(settings, {
    isSent,
    timeZone: readerOf(person).timeZone,
    now: ctx.clock.now(),
  });
  return projectSettings(settings, { addresses: addressesOf(ctx, settings), targets, sees, schedule });
}

const hasReports = ({ reports, deletesAt }: OwnOrganization): boolean => reports && deletesAt === null;

/** When the next reports are sent, milliseconds; null: none is. `isSent`: whether any can be. */
function scheduleOf(
  settings: Settings,
  { isSent, timeZone, now }: { isSent: boolean; timeZone: string; now: number },
) {
  const { emailNotifications, emailWeeklyReports, emailMonthlyReports } = settings;
  const nextOf = (kind: ReportMailKind, isWanted: boolean) =>
    isSent && emailNotifications && isWanted ? nextReportAt(kind, timeZone, now) : null;
  return {
    weekly: nextOf("weekly", emailWeeklyReports),
    monthly: nextOf("monthly", emailMonthlyReports),
    timeZone,
  };
}

function mailProblem({ config }: Running, mail: Channel | null): MessageDescriptor | null {
  if (config.smtp === null) return msg("mail.off");
  if (mail === null || !isWaiting(config, mail)) return null;
  return config.publicUrl === null ? msg("mail.no_address") : msg("settings.unconfirmed");
}

/** Throws when the installation's key is not the one they were sealed with. */
function addressesOf({ secrets }: Pick<Running, "secrets">, { slack, webhook }: Settings): OpenAddresses {
  const opened = (sealed: string) => JSON.parse(secrets.open(sealed));
  return {
    slackUrl: slack && opened(slack.sealed).url,
    webhook: webhook && opened(webhook.sealed),
  };
}

interface Change {
  before: Settings;
  change: SettingsChange;
  person: User | undefined;
}

function changed(ctx: Running, { before, change, person }: Change): Settings {
  const {
    webhookUrl,
    slackWebhookUrl,
    webhookSecret,
    quietHours,
    targets: _,
    reports: __,
    ...switches
  } = change;
  const problems: FieldErrors = {};
  const addresses = addressesOf(ctx, before);
  const slackUrl = changedUrl(slackWebhookUrl, addresses.slackUrl, maskedUrl(addresses.slackUrl));
  const url = changedUrl(webhookUrl, addresses.webhook?.url ?? null);
  for (const [field, address, former] of [
    ["slackWebhookUrl", slackUrl, addresses.slackUrl],
    ["webhookUrl", url, addresses.webhook?.url],
  ] as const) {
    // An unchanged address was checked when it was set, and every connection to it is guarded.
    const problem = address === null || address === former ? null : urlProblem(address, ctx);
    if (problem) problems[field] = [problem];
  }
  if (quietHours?.from !== undefined && quietHours.from === quietHours.to) {
    problems["quietHours.to"] = [msg("channel.hours")];
  }
  if (Object.keys(problems).length > 0) throw invalidInput(problems);
  const secret = webhookSecret === undefined ? addresses.webhook?.secret : webhookSecret;
  const isSlackUnchanged = slackUrl === addresses.slackUrl && change.slackEnabled === undefined;
  const given = Object.fromEntries(Object.entries(switches).filter(([, value]) => value !== undefined));
  return {
    ...before,
    ...given,
    ...(quietHours !== undefined && { quietHours: quietOf(quietHours, readerOf(person).timeZone) }),
    slack: isSlackUnchanged ? before.slack : sealed(ctx, before.slack, { url: slackUrl }),
    webhook: isSent(webhookUrl, webhookSecret)
      ? sealed(ctx, before.webhook, { url, secret: secret ?? newSecret() })
      : before.webhook,
  };
}

const isSent = (...fields: unknown[]): boolean => fields.some((field) => field !== undefined);

/** An unchanged address keeps its sealed form, so that it still counts as the same; that it had ended is cleared. */
function sealed(
  { secrets }: Running,
  before: OwnTarget | null,
  to: { url: string | null; secret?: string },
): OwnTarget | null {
  if (to.url === null) return null;
  const open = JSON.stringify(to);
  const isSame = before !== null && secrets.open(before.sealed) === open;
  return { sealed: isSame ? before.sealed : secrets.seal(open), host: hostOf(to.url), ended: null };
}

/** Nothing: as before; empty: none. */
function changedUrl(sent: string | null | undefined, before: string | null, shown = before): string | null {
  if (sent === undefined || (before !== null && sent === shown)) return before;
  return sent === "" ? null : sent;
}

function urlProblem(address: string, { network, caller }: Running) {
  const url = URL.parse(address);
  const { policy } = reachOf(network, { isMember: isAtLeast(caller.role, "member") });
  return webUrlProblem(address) ?? hostProblem(url?.hostname ?? "", policy);
}

function quietOf(sent: Hours, usualZone: string): Hours | null {
  const hours = hoursOf(sent);
  return hours && { ...hours, areQuiet: true, timeZone: ianaName(sent.timeZone ?? usualZone) };
}

/** Sends the caller a test message, and says what the other side answered. Throws 422 where there is nowhere to send it to. */
export const testOwnNotifications = verb({
  resource: "notifications",
  action: "write",
  role: "viewer",
  audit: null,
  input: OwnTest,
  output: ChannelTest,
  async prepare(ctx, { type }) {
    const channel = await findOwnChannel(ctx.store.db, ctx.caller, type);
    if (!channel) throw invalidInput({ type: [msg("settings.nowhere")] });
    return tryChannel(ctx, channel);
  },
  async run(ctx, _, tried) {
    await keepTry(ctx, tried);
    return projectChannelTest(tried.outcome);
  },
});

/**
 * Mails the caller another request to confirm their account's address. Throws 409 where it is confirmed or needs no
 * confirmation, 403 where no mail with links is sent, 429 after too many.
 */
export const requestOwnConfirmation = verb({
  resource: "notifications",
  action: "write",
  role: "viewer",
  // It concerns only the caller.
  audit: null,
  input: Type.Object({}),
  output: NotificationSettings,
  async run(ctx) {
    const { db, caller, config } = ctx;
    await lockOrganization(db, caller.organizationId);
    const channel = await findOwnChannel(db, caller, "email");
    if (!channel || !isWaiting(config, channel)) throw new PublicError("conflict", msg("settings.confirmed"));
    await requestConsent(ctx, channel);
    return showOwnSettings(ctx);
  },
});
