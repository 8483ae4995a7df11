import type { parents as english } from "./en.ts";

/** What there is to say of what monitors depend on, in German (see ../en.ts for the slots). */
export const parents: Record<keyof typeof english, string> = {
  "parent.unknown": "Es gibt keine Domain, keinen Dienst und kein Gerät {uuid}.",
  "parent.itself": "Ein Monitor kann nicht von sich selbst abhängen.",
  "parent.cycle": "„{name}“ hängt selbst von diesem Monitor ab, direkt oder über andere.",
  "parent.member":
    "„{name}“ hängt von dieser Gruppe ab, direkt oder über andere, und kann deshalb kein Mitglied sein.",
  "watch.behind":
    "{name}, wovon es abhängt, ist ebenfalls ausgefallen: Niemand wird benachrichtigt.{ because}",
  "watch.released": "Wovon es abhängt, ist nicht mehr ausgefallen: Es braucht eine neue Bestätigung.",
  "watch.told": "Nichts, wovon es abhängt, ist ausgefallen: Es wird benachrichtigt.{ because}",
  "explain.held_back": "Zurückgehalten seit {at:time}: {name}, wovon es abhängt, war ausgefallen.{ because}",
  "explain.released":
    "Freigegeben {at:time}: Nichts, wovon es abhängt, war noch ausgefallen. Von da an brauchte es eine neue Bestätigung.",
  "explain.told": "Neu bestätigt {at:time}: Es wurde benachrichtigt.{ because}",
};
