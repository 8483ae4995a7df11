import { ianaName } from "../account/iana-name.ts";
import type { PageSettings } from "../store/queries/status-pages.ts";
import type { StatusPageInput } from "../wire/status-pages.ts";
import { normalNetworks } from "./access/networks.ts";
import { changedLook } from "./look/change-look.ts";
import { USUAL_LOOK } from "./look/look.ts";
import { plainSettings, USUAL_PLAIN } from "./plain-settings.ts";

/** Of a page of which nothing is said; but a name and a slug always are. */
export const USUAL_SETTINGS: PageSettings = {
  ...USUAL_PLAIN,
  passwordHash: null,
  allowedNetworks: [],
  look: USUAL_LOOK,
};

/** `base` with what is given. `passwordHash`: of the password that is given, if one is. */
export function applyInput(
  base: PageSettings,
  input: StatusPageInput,
  passwordHash: string | null = base.passwordHash,
): PageSettings {
  const { name, description, timeZone, ...plain } = plainSettings({ ...base, ...input });
  const { allowedNetworks } = input;
  return {
    ...{ ...plain, passwordHash, timeZone: ianaName(timeZone) },
    ...{ name: name.trim(), description: description.trim() },
    allowedNetworks: allowedNetworks ? normalNetworks(allowedNetworks) : base.allowedNetworks,
    look: changedLook(base.look, input.appearance),
  };
}
