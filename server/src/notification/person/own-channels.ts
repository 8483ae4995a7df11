import type { PushTarget } from "../../store/queries/push-subscriptions.ts";
import type { Language } from "../../texts/languages.ts";
import {
  CERTIFICATE_EVENTS,
  CHANNEL_EVENTS,
  type ChannelEvent,
  type ChannelFilter,
  INCIDENT_EVENTS,
  MONITOR_EVENTS,
  OBJECTIVE_NOTIFICATIONS,
} from "../channel/filter.ts";
import { DEVICE_EVENTS } from "../event-rules.ts";
import type { NotificationSettings, OwnTarget } from "./settings.ts";

/** What of a person's channel follows from their settings. */
export interface OwnChannel extends Pick<ChannelFilter, "hours"> {
  events: ChannelEvent[];
  type: "email" | "slack" | "webhook" | "push";
  /** The browser that it is; null for the other types. */
  pushSubscriptionId: number | null;
  /** The browser's that it is, for people who have chosen none; null for the other types. */
  language: Language | null;
  config: object;
  secrets: string | null;
  target: string;
  enabled: boolean;
  disabledReason: OwnTarget["ended"];
}

/** Of every channel, unless it says otherwise. */
const USUAL = {
  pushSubscriptionId: null,
  language: null,
  config: {},
  secrets: null,
  disabledReason: null,
} as const;

/** The channels by which a person is told in each of their organizations: the same outbox, pace and retries as everybody's. */
export function ownChannels(
  settings: NotificationSettings,
  email: string,
  browsers: readonly PushTarget[],
): OwnChannel[] {
  const { emailDowntime, emailIncidents, emailNotifications, slackEnabled, quietHours: hours } = settings;
  const events = [
    ...(emailDowntime
      ? [...MONITOR_EVENTS, ...DEVICE_EVENTS, ...CERTIFICATE_EVENTS, OBJECTIVE_NOTIFICATIONS[0]]
      : []),
    ...(emailIncidents ? INCIDENT_EVENTS : []),
  ];
  const mail: OwnChannel = {
    ...USUAL,
    type: "email",
    config: { address: email },
    target: email,
    events,
    hours,
    enabled: emailNotifications && events.length > 0,
  };
  const all = { ...USUAL, events: [...CHANNEL_EVENTS], hours };
  const elsewhere = (type: "slack" | "webhook", own: OwnTarget | null, isWanted: boolean): OwnChannel[] => {
    if (own === null) return [];
    const { sealed: secrets, host: target, ended: disabledReason } = own;
    return [{ ...all, type, secrets, target, enabled: isWanted && disabledReason === null, disabledReason }];
  };
  const shown = browsers.map(({ id: pushSubscriptionId, uuid: target, address: secrets, language }) => {
    const enabled = settings.browserNotifications;
    return { ...all, type: "push" as const, pushSubscriptionId, target, secrets, language, enabled };
  });
  return [
    mail,
    ...elsewhere("slack", settings.slack, slackEnabled),
    ...elsewhere("webhook", settings.webhook, true),
    ...shown,
  ];
}
