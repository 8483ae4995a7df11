import type { parents as english } from "./en.ts";

/** What there is to say of what monitors depend on, in German (see ../en.ts for the slots). */
export const parents: Record<keyof typeof english, string> = {
  "parent.itself": "Ein Monitor kann nicht von sich selbst abhängen.",
  "parent.cycle": "„{name}“ hängt selbst von diesem Monitor ab, direkt oder über andere.",
  "parent.member":
    "„{name}“ hängt von dieser Gruppe ab, direkt oder über andere, und kann deshalb kein Mitglied sein.",
  "watch.behind": "{name}, wovon es abhängt, ist ebenfalls ausgefallen: Niemand wird benachrichtigt.",
  "watch.released": "Wovon es abhängt, ist nicht mehr ausgefallen: Es braucht eine neue Bestätigung.",
};
