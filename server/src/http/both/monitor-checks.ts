import type { TSchema } from "typebox";
import type { checkVerbs } from "../../monitor/check-verbs.ts";
import type { DefineBoth } from "../both-families.ts";
import { allowLongCheck } from "../long-checks.ts";

/** Where a kind of monitor is in the API. */
interface Checked<C extends TSchema> {
  url: `/api/${string}`;
  noun: string;
  verbs: ReturnType<typeof checkVerbs<C>>;
  /** The specification's words for settings in v2. */
  v2?: { body: TSchema };
}

/** To check at once: what is watched, and settings before they are saved. */
export function describeChecks<C extends TSchema>(
  define: DefineBoth,
  { url, noun, verbs, v2 }: Checked<C>,
): void {
  const limit = { group: `${noun}-test`, perMinute: 30 };
  define({
    verb: verbs.check,
    method: "POST",
    url: `${url}/:id/check`,
    limit: { group: `${noun}-check`, perMinute: 60 },
    failures: [409, 503],
    before: allowLongCheck,
    summary: `Check a ${noun} now`,
    description: `All locations that check it do so at once, beside the schedule; the answer is the first result, within the timeout and a second. Results are stored and count like any other: a failure still has to be confirmed. A check that is under way is not begun again. A failed check is a 200. 409 for a ${noun} that is paused or that nothing checks; 503 when no probe is there, or no result comes in time.`,
    message: `${noun === "domain" ? "Domain" : "Service"} checked.`,
  });
  define({
    verb: verbs.test,
    assistant: noun === "domain",
    method: "POST",
    url: `${url}/test`,
    limit,
    failures: [409],
    before: allowLongCheck,
    summary: `Check a ${noun} once without monitoring it`,
    description: `Takes what creating a ${noun} takes and checks it once, from the server itself. Nothing is stored, and a check that fails is a 200 with \`state: down\`.`,
    ...(v2 && { v2 }),
    message: `${noun === "domain" ? "Domain" : "Service"} checked.`,
  });
  define({
    verb: verbs.testChange,
    assistant: false,
    method: "POST",
    url: `${url}/:id/test`,
    limit,
    failures: [409],
    before: allowLongCheck,
    summary: `Check a ${noun} once as a change would have it`,
    description: `Takes what changing a ${noun} takes, checks once what would come of it, and changes nothing. Stored credentials are used, and refused, as the change itself would.`,
    message: `${noun === "domain" ? "Domain" : "Service"} checked.`,
  });
}
