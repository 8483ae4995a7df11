import type { Fact } from "../../texts/fact.ts";
import type { Hours } from "../channel/filter.ts";

/** Somewhere of a person's own that messages go to: its configuration sealed, and the host that it leads to. */
export interface OwnTarget {
  sealed: string;
  host: string;
  /** Why it takes nothing more; null unless it said so. */
  ended: Fact | null;
}

/** What a person wants to be told, and how. */
export interface NotificationSettings {
  emailNotifications: boolean;
  browserNotifications: boolean;
  emailIncidents: boolean;
  emailDowntime: boolean;
  emailWeeklyReports: boolean;
  emailMonthlyReports: boolean;
  slackEnabled: boolean;
  /** When only critical things are told, on the clocks of its own zone; null: never. */
  quietHours: Hours | null;
  slack: OwnTarget | null;
  webhook: OwnTarget | null;
}

/** Until they say otherwise, people hear of trouble by mail, and in the browsers that they let show messages. */
export const USUAL_SETTINGS: NotificationSettings = {
  emailNotifications: true,
  browserNotifications: true,
  emailIncidents: true,
  emailDowntime: true,
  emailWeeklyReports: false,
  emailMonthlyReports: false,
  slackEnabled: false,
  quietHours: null,
  slack: null,
  webhook: null,
};
