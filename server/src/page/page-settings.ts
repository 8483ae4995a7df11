import { ianaName } from "../account/iana-name.ts";
import type { PageSettings } from "../store/queries/status-pages.ts";
import type { StatusPageInput } from "../wire/status-pages.ts";
import { normalNetworks } from "./access/networks.ts";
import { changedLook } from "./look/change-look.ts";
import { USUAL_LOOK } from "./look/look.ts";

/** Of a page of which nothing is said but how it is called. */
export const USUAL_SETTINGS: Omit<PageSettings, "name" | "slug"> = {
  description: "",
  isPublic: true,
  showAutomatic: true,
  timeZone: "UTC",
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
  const { name = base.name, slug = base.slug, description = base.description } = input;
  const { isPublic = base.isPublic, showAutomatic = base.showAutomatic, timeZone = base.timeZone } = input;
  const { allowedNetworks } = input;
  return {
    ...{ slug, isPublic, showAutomatic, passwordHash, timeZone: ianaName(timeZone) },
    ...{ name: name.trim(), description: description.trim() },
    allowedNetworks: allowedNetworks ? normalNetworks(allowedNetworks) : base.allowedNetworks,
    look: changedLook(base.look, input.appearance),
  };
}
