import type { Fact } from "../texts/fact.ts";

/** Notes what is wrong with a field (legacy names, nested as `authConfig.token`). */
export type Report = (field: string, what: Fact) => void;

/** A change of a check's configuration. */
export interface ConfigChange<Config extends object = object> {
  /** What there is; `{}` for a new monitor and for one of another kind of check before. */
  stored: Partial<Config>;
  /** What of it stays where nothing is sent. */
  kept: Partial<Config>;
  sent: Partial<Config>;
}

/** What a change led to. */
export interface Changed<Config extends object = object> {
  config: Config;
  /** The target as it was typed, where that is not how it is compared; absent while it is what it was. */
  displayTarget?: string;
}
