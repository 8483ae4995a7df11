import type { Language } from "../../../src/platform/i18n/render.ts";
import {
  confirmationSentPage,
  gonePage,
  managePage,
  messagePage,
  outcomePage,
  passwordPage,
  promptPage,
  subscribeForm,
} from "../../../src/status-pages/render/form-pages.ts";
import type { Rendered } from "../../../src/status-pages/render/page-frame.ts";
import { viewOf } from "../../../src/status-pages/render/view.ts";
import { SUBSCRIBER_KINDS } from "../../../src/status-pages/subscriber/kinds.ts";
import { SCENES } from "./public-pages.ts";

const base = "/status/northwind";
/** Of a new subscriber. */
const usual = { address: "ada@example.com", page: "Northwind", pageUrl: "https://status.northwind.test" };

/** What one visitor has to enter or sees alone, in every state that it can be in. `of`: what others wrote of it. */
export function visitorPages(language: Language, of: Partial<typeof usual> = {}): Record<string, Rendered> {
  const subscription = { language, ...usual, ...of };
  const { address, page } = subscription;
  const view = viewOf(
    { ...SCENES.outage(), name: page },
    { base, language, isChosen: true, isOld: false, offered: SUBSCRIBER_KINDS },
  );
  const { groups } = SCENES.many();
  const managed = { ...subscription, groups, chosen: null, notifiedIn: language, isSaved: false };
  const endUrl = "/status/unsubscribe/token";
  const attempt = { kind: "webhook", address, components: null, problem: `${address}?` } as const;
  const unlocking = { action: `${base}/unlock`, wanted: "/history" };
  return {
    missing: messagePage("missing", language),
    "missing-there": messagePage("missing", language, base),
    away: messagePage("away", language),
    password: passwordPage(language, { ...unlocking, refusal: null }),
    "password-wrong": passwordPage(language, { ...unlocking, refusal: "wrong" }),
    "password-many": passwordPage(language, { ...unlocking, refusal: "many" }),
    "subscribe-refused": subscribeForm(view, { ...attempt, at: "address" }) as Rendered,
    "subscribe-nothing": subscribeForm(view, { ...attempt, components: [], at: "components" }) as Rendered,
    "subscribe-sent": confirmationSentPage(view, "email"),
    "subscribe-sent-webhook": confirmationSentPage(view, "webhook"),
    confirm: promptPage("confirm", subscription),
    confirmed: outcomePage("confirmed", subscription),
    again: outcomePage("again", subscription),
    expired: outcomePage("expired", subscription),
    gone: gonePage(language),
    manage: managePage({ ...managed, endUrl }),
    "manage-saved": managePage({ ...managed, endUrl, chosen: [], isSaved: true }),
    "manage-refused": managePage({ ...managed, endUrl, chosen: [], isNothing: true }),
    "manage-nothing": managePage({ ...managed, endUrl, groups: [], pageUrl: null }),
    end: promptPage("end", subscription),
    ended: outcomePage("ended", subscription),
  };
}
