import type { bulkVerb } from "../../monitor/bulk-verb.ts";
import type { MonitorKind } from "../../monitor/monitor-defaults.ts";
import { capital } from "../../wire/word.ts";
import type { DefineBoth } from "../both-families.ts";

/** Where a kind of monitor is in the API. */
interface Changed {
  url: `/api/${string}`;
  noun: MonitorKind;
  verb: ReturnType<typeof bulkVerb>;
}

/** To change many at once. */
export function describeBulk(define: DefineBoth, { url, noun, verb }: Changed): void {
  define({
    verb,
    method: "POST",
    url: `${url}/bulk`,
    failures: [409],
    summary: `Pause, resume, delete or tag many ${noun}s`,
    description: `Runs in one transaction and counts as one write for the rate limit. Changes ${noun}s of one organization: the one that \`organization\` names, by default that of your key or session. ${capital(noun)}s that cannot be changed are listed in \`failed\`, with the error that changing them alone in that organization would return; the others are changed. Ids that are unknown there are a 404, also those of your other organizations: send a request for each.`,
  });
}
