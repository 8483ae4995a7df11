import type { pages as english } from "./en.ts";

/** Why what is set of status pages is refused, in German (see ../en.ts for the slots). */
export const pages: Record<keyof typeof english, string> = {
  "page.slug": "Ein Kurzname hat 3 bis 64 Zeichen: a bis z, 0 bis 9 und Bindestriche.",
  "page.slug_reserved": "Der Kurzname {slug} ist reserviert. Wählen Sie einen anderen.",
  "page.slug_taken": "Der Kurzname {slug} ist vergeben. Wählen Sie einen anderen.",
  "page.no_monitor": "Es gibt nichts dieser Art mit der ID {id}.",
  "page.linked": "Das steht bereits auf dieser Seite.",
  "page.name_needed":
    "Der Name dieses Monitors verrät, was geprüft wird. Wählen Sie den Namen, den Besucher sehen sollen.",
  "page.no_group": "Diese Seite hat keine Gruppe {id}.",
  "page.no_component": "Diese Seite hat keine Komponente {id}.",
  "page.component_twice": "Die Komponente {id} ist zweimal angegeben.",
  "page.group_twice": "Die Gruppe {id} ist zweimal angegeben.",
  "page.many_components": "Eine Statusseite kann {limit} Komponenten haben.",
  "page.many": "Eine Organisation kann {limit} Statusseiten haben.",
};
