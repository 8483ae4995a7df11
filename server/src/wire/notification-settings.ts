import { type Static, Type } from "typebox";
import type { NotificationSettings as StoredSettings } from "../notification/person/settings.ts";
import type { MessageDescriptor } from "../texts/message.ts";
import { HoursFields } from "./channels.ts";
import { MessageSchema, sentenceOf } from "./fact.ts";
import { asSecret, nullable, oneOf, Timestamp, timestampOrNull } from "./field.ts";

const OWN_TYPES = ["email", "slack", "webhook"] as const;
export type OwnType = (typeof OWN_TYPES)[number];

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

/** What of the settings is kept encrypted, in the clear. */
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
