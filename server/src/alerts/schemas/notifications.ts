import { type Static, Type } from "typebox";
import type { MessageDescriptor } from "../../platform/i18n/message.ts";
import { MONITOR_KINDS } from "../../platform/monitor-defaults.ts";
import {
  asSecret,
  fromOutside,
  MessageSchema,
  nullable,
  oneOf,
  sentenceOf,
  shown,
  Timestamp,
  timestampOrNull,
  Uuid,
} from "../../platform/operations/field.ts";
import { NewestFirstQuery } from "../../platform/operations/paging.ts";
import { NOTIFICATION_TYPES, nameOfEvent } from "../event-rules.ts";
import type { NotificationSettings as StoredSettings } from "../people/settings.ts";
import type { ReadNotification } from "../queries/notifications.ts";
import { HoursFields } from "./channels.ts";

const OWN_TYPES = ["email", "slack", "webhook"] as const;
type OwnType = (typeof OWN_TYPES)[number];

/** The booleans of the settings, with what each is usually. */
const switches = {
  emailNotifications: Type.Boolean({ description: "Whether mails are sent at all. Default: true." }),
  browserNotifications: Type.Boolean({
    description:
      "Whether the browsers that you have subscribed show messages. Default: true. The app shows notifications while it is open either way.",
  }),
  emailIncidents: Type.Boolean({
    description:
      "Mails about what people write: incidents opened by hand, their updates and their end. Default: true.",
  }),
  emailDowntime: Type.Boolean({
    description:
      "Mails about monitors that go down, and come up again, and about their certificates. Default: true.",
  }),
  emailWeeklyReports: Type.Boolean({
    description:
      "A mail each Monday at 8:00 in your time zone about each of your organizations that has reports: the week before. Default: false.",
  }),
  emailMonthlyReports: Type.Boolean({
    description: "The same on the first of each month: the month before. Default: false.",
  }),
  slackEnabled: Type.Boolean({
    description: "Whether messages go to `slackWebhookUrl`. Default: false.",
  }),
};

const QuietHours = Type.Object(
  {
    ...HoursFields,
    timeZone: Type.Optional(
      Type.String({
        format: "time-zone",
        maxLength: 64,
        description:
          "The time zone of these hours, an IANA name. Default: that of your profile, else that of the browser that you used last, else UTC.",
        examples: ["Europe/Berlin"],
      }),
    ),
  },
  {
    description:
      "When you are sent nothing by mail, Slack, webhook or in your browsers, except about monitors and incidents of critical severity and the end of what you were notified of. The rest waits; what is still true afterwards is sent as one message. {}: never.",
  },
);

const url = (description: string, example: string) => ({ maxLength: 2048, description, examples: [example] });
const webhookUrl = url(
  "Where each event is posted to, signed as Standard Webhooks says. Keys that only read see no path. Empty: nowhere.",
  "https://hooks.example.com/vedette",
);
const slackWebhookUrl = url(
  "An incoming webhook of Slack. Its path is a secret and is never returned; what is returned may be sent back. Empty: none.",
  "https://hooks.slack.com/services/T000/B000/XXXX",
);
const webhookSecret =
  "What requests to `webhookUrl` are signed with: whsec_ and 24 to 64 bytes in Base64. Made when an address is first set.";

const Target = Type.Object(
  {
    type: oneOf(OWN_TYPES),
    target: Type.String({ description: "Your address, or the host.", examples: ["ada@example.com"] }),
    problem: nullable(
      Type.String(),
      "Why nothing gets there at present, for example because you have not confirmed that the address is yours; null if nothing is known to be wrong.",
    ),
    problemFact: MessageSchema,
  },
  { title: "NotificationTarget" },
);

/** GET of a person's settings. */
export const NotificationSettings = Type.Object(
  {
    ...switches,
    webhookUrl: asSecret(Type.String(webhookUrl)),
    slackWebhookUrl: Type.String(slackWebhookUrl),
    webhookSecret: Type.Optional(
      nullable(
        asSecret(Type.String()),
        `${webhookSecret} Shown to owners and admins, but not to keys that only read; null while there is no address.`,
      ),
    ),
    quietHours: QuietHours,
    reports: Type.Object(
      {
        weeklyAt: nullable(Timestamp, "The next weekly report; null: none is sent."),
        monthlyAt: nullable(Timestamp, "The next monthly report; null: none is sent."),
        timeZone: Type.String({
          description:
            "Where that is 8:00, an IANA name: of your profile, else of the browser that you used last, else UTC.",
          examples: ["Europe/Berlin"],
        }),
      },
      { title: "ReportSchedule", description: "When reports are sent to you by mail." },
    ),
    targets: Type.Array(Target, { description: "Where messages to you go." }),
  },
  { title: "NotificationSettings" },
);

/** PUT of it: any subset. */
export const NotificationSettingsChange = Type.Object(
  {
    ...Type.Partial(Type.Object(switches)).properties,
    webhookUrl: Type.Optional(nullable(asSecret(Type.String(webhookUrl)))),
    slackWebhookUrl: Type.Optional(nullable(asSecret(Type.String(slackWebhookUrl)))),
    webhookSecret: Type.Optional(
      nullable(
        asSecret(Type.String({ pattern: "^whsec_[A-Za-z0-9+/]{32,88}={0,2}$" })),
        `${webhookSecret} Null: another one is made.`,
      ),
    ),
    quietHours: Type.Optional(QuietHours),
    reports: Type.Optional(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description: "Changes nothing: what was read may be sent back as a whole.",
        },
      ),
    ),
    targets: Type.Optional(
      Type.Array(Type.Object({}, { additionalProperties: true }), {
        description: "Changes nothing: what was read may be sent back as a whole.",
      }),
    ),
  },
  { title: "NotificationSettingsChange" },
);

export type SettingsChange = Static<typeof NotificationSettingsChange>;

/** Which of the caller's own is tried. */
export const OwnTest = Type.Object(
  { type: oneOf(OWN_TYPES, { description: "Where the message goes." }) },
  { title: "NotificationTest" },
);

/** What of the settings is stored encrypted, in the clear. */
export interface OpenAddresses {
  slackUrl: string | null;
  webhook: { url: string; secret: string } | null;
}

/** A person's settings as they see them. */
export function projectSettings(
  settings: StoredSettings,
  {
    addresses,
    targets,
    sees,
    schedule,
  }: {
    addresses: OpenAddresses;
    targets: readonly { type: OwnType; target: string; problem: MessageDescriptor | null }[];
    sees: { address: boolean; secret: boolean };
    schedule: { weekly: number | null; monthly: number | null; timeZone: string };
  },
): Static<typeof NotificationSettings> {
  const { areQuiet: _, ...quietHours } = settings.quietHours ?? {};
  return {
    emailNotifications: settings.emailNotifications,
    browserNotifications: settings.browserNotifications,
    emailIncidents: settings.emailIncidents,
    emailDowntime: settings.emailDowntime,
    emailWeeklyReports: settings.emailWeeklyReports,
    emailMonthlyReports: settings.emailMonthlyReports,
    slackEnabled: settings.slackEnabled,
    webhookUrl: sees.address ? (addresses.webhook?.url ?? "") : maskedUrl(addresses.webhook?.url ?? null),
    slackWebhookUrl: maskedUrl(addresses.slackUrl),
    ...(sees.secret && { webhookSecret: addresses.webhook?.secret ?? null }),
    quietHours,
    reports: {
      weeklyAt: timestampOrNull(schedule.weekly),
      monthlyAt: timestampOrNull(schedule.monthly),
      timeZone: schedule.timeZone,
    },
    targets: targets.map(({ type, target, problem }) => ({
      type,
      target,
      problem: sentenceOf(problem),
      problemFact: problem,
    })),
  };
}

/** An address whose path is a secret. */
export const maskedUrl = (address: string | null): string =>
  address === null ? "" : `${URL.parse(address)?.origin ?? ""}/********`;

/** GET /api/notifications. */
export const NotificationsQuery = Type.Object({
  page: NewestFirstQuery.page,
  sort: NewestFirstQuery.sort,
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1000, default: 50, description: "Items, newest first." }),
  ),
  grouped: Type.Optional(
    Type.Boolean({
      description:
        "True: monitors that went down together have one notification when the first goes down and one when all are up again. Default: false: each monitor has its own.",
    }),
  ),
});

/** So many of the newest are looked at to count the unread ones. */
export const COUNTED = 1_000;

/** What the list says beside its items. */
export const NotificationCounts = {
  unread: Type.Integer({
    minimum: 0,
    maximum: COUNTED,
    description: "How many of the newest 1,000 you have not read, whether or not they are in this answer.",
    examples: [3],
  }),
};

export const Notification = Type.Object(
  {
    id: Type.Integer({ examples: [7] }),
    uuid: Uuid,
    type: oneOf(NOTIFICATION_TYPES),
    event: Type.String({ description: "What happened.", examples: ["monitor.down"] }),
    message: fromOutside(
      Type.String({
        description: "In English and UTC.",
        examples: ["Shop has been down since 2026-11-21 09:30:00 UTC. The connection was refused."],
      }),
    ),
    fact: MessageSchema,
    reason: fromOutside(
      nullable(
        Type.String({ examples: ["The connection was refused."] }),
        "The last sentence of `message`, where it says why; its message is `fact.because`.",
      ),
    ),
    isRead: Type.Boolean({
      description: "Whether you have read it. Notifications from before you joined count as read.",
    }),
    monitorId: nullable(
      Type.Integer(),
      "The domain, service or device it is about; null once that is deleted.",
    ),
    monitorKind: nullable(oneOf(MONITOR_KINDS), "Which of them it is."),
    incidentId: nullable(Type.Integer(), "The incident it is about."),
    createdAt: Timestamp,
  },
  { title: "Notification" },
);

/** What marking all as read answers. */
export const AllRead = Type.Object({ isRead: Type.Literal(true) }, { title: "AllRead" });

/** What marking one as read answers. */
export const NotificationMark = Type.Object(
  { id: Type.Integer({ examples: [7] }), isRead: Type.Literal(true) },
  { title: "NotificationMark" },
);

export const projectReadNotification = ({
  descriptor,
  ...notification
}: ReadNotification): Static<typeof Notification> =>
  shown(Notification, {
    ...notification,
    fact: descriptor,
    event: nameOfEvent(notification.event, { kind: notification.monitorKind, descriptor }),
    reason: sentenceOf(descriptor?.because),
  });
