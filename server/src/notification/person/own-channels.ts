import {
  CHANNEL_EVENTS,
  type ChannelEvent,
  type ChannelFilter,
  INCIDENT_EVENTS,
  type IncidentEvent,
} from "../channel/filter.ts";
import type { NotificationSettings, OwnTarget } from "./settings.ts";

/** What of a person's channel follows from their settings. */
export interface OwnChannel extends Pick<ChannelFilter, "hours"> {
  events: (ChannelEvent | IncidentEvent)[];
  type: "email" | "slack" | "webhook";
  config: object;
  secrets: string | null;
  target: string;
  enabled: boolean;
  disabledReason: OwnTarget["ended"];
}

/** The channels by which a person is told in each of their organizations: the same outbox, pace and retries as everybody's. */
export function ownChannels(settings: NotificationSettings, email: string): OwnChannel[] {
  const { emailDowntime, emailIncidents, emailNotifications, slackEnabled, quietHours: hours } = settings;
  const events = [...(emailDowntime ? CHANNEL_EVENTS : []), ...(emailIncidents ? INCIDENT_EVENTS : [])];
  const mail: OwnChannel = {
    type: "email",
    config: { address: email },
    secrets: null,
    target: email,
    events,
    hours,
    enabled: emailNotifications && events.length > 0,
    disabledReason: null,
  };
  const elsewhere = (type: "slack" | "webhook", own: OwnTarget | null, isWanted: boolean): OwnChannel[] =>
    own === null
      ? []
      : [
          {
            type,
            config: {},
            secrets: own.sealed,
            target: own.host,
            events: [...CHANNEL_EVENTS],
            hours,
            enabled: isWanted && own.ended === null,
            disabledReason: own.ended,
          },
        ];
  return [
    mail,
    ...elsewhere("slack", settings.slack, slackEnabled),
    ...elsewhere("webhook", settings.webhook, true),
  ];
}
