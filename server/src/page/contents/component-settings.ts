import type { ComponentSettings } from "../../store/queries/status-page-components.ts";
import type { ComponentInput } from "../../wire/page-components.ts";

/** What a component shows where nothing is said. */
export const USUAL_COMPONENT = {
  description: "",
  showsUptime: true,
  showsDays: true,
  showsResponseTimes: false,
} as const;

/** `base` with what is given. */
export function settingsOf(base: ComponentSettings, input: ComponentInput): ComponentSettings {
  const { displayName = base.displayName, description = base.description } = input;
  const { showsUptime = base.showsUptime, showsDays = base.showsDays } = input;
  const { showsResponseTimes = base.showsResponseTimes } = input;
  return {
    ...{ showsUptime, showsDays, showsResponseTimes },
    ...{ displayName: displayName.trim(), description: description.trim() },
  };
}
