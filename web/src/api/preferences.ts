import { hashKey, type QueryClient } from "@tanstack/react-query";
import { browserTimeZone, setTimeZone } from "../i18n/format.ts";
import { browserLanguage, chooseLanguage, chosenLanguage, onLanguageChosen } from "../i18n/i18n.ts";
import { apiPaths } from "../paths.ts";
import { chooseTheme, chosenTheme, onThemeChosen } from "../theme.ts";
import { showToast } from "../toasts.ts";
import { ApiError, call } from "./client.ts";
import { type Preferences, type Session, sessionQuery } from "./session.ts";
import { dropUnsaved, keepUnsaved, unsavedChange, unsavedOf } from "./unsaved-preferences.ts";

/** What this browser remembers too, for the time before it knows who is there. */
type Choices = Pick<Preferences, "language" | "theme">;

const copyKey = "vedette.account-choices";
/** Between two attempts to reach a server that is away. */
const firstPauseMs = 2_000;
const longestPauseMs = 60_000;

/** The one made in this browser, unless it is still what the account had when it was last seen here. */
export const chooseNewer = <Choice>(here: Choice, account: Choice, lastSeen: Choice): Choice =>
  here === lastSeen ? account : here;

/** Changes what is given, here at once and at the server as soon as that answers. Throws what the server has against it. */
export function savePreferences(client: QueryClient, change: Partial<Preferences>): Promise<void> {
  const session = client.getQueryData(sessionQuery.queryKey);
  if (!session) return Promise.resolve();
  keepUnsaved(session.user.id, change);
  showOf(client, change);
  return send();
}

/** Has the app look and speak so, whatever the server has. */
const showOf = (client: QueryClient, change: Partial<Preferences>): void =>
  void client.setQueryData(
    sessionQuery.queryKey,
    (session) => session && { ...session, user: { ...session.user, ...change } },
  );

/** One change after the other. The answers say how things were at their time, so nothing is taken from them. */
function send(): Promise<void> {
  const sent = sending.then(sendUnsaved);
  sending = sent.catch(() => undefined);
  return sent;
}

let sending: Promise<void> = Promise.resolve();
let retryTimer = 0;
let pauseMs = firstPauseMs;

/** Sends what the server has not got yet; while it is away, now and again. */
async function sendUnsaved(): Promise<void> {
  clearTimeout(retryTimer);
  const change = unsavedChange();
  if (change === null) return;
  try {
    await call("PATCH", apiPaths.me, { body: change });
  } catch (error) {
    if (!isRefusal(error)) {
      retryTimer = window.setTimeout(send, pauseMs);
      pauseMs = Math.min(longestPauseMs, 2 * pauseMs);
      return;
    }
    dropUnsaved(change);
    throw error;
  }
  pauseMs = firstPauseMs;
  dropUnsaved(change);
}

/** Whether the server refuses it for good; where the session is over, it waits for the next sign-in. */
const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError &&
  error.status >= 400 &&
  error.status < 500 &&
  error.status !== 401 &&
  error.status !== 429;

/** Language, theme and time zone become the account's; a choice in any menu is saved there for other browsers. */
export function keepPreferences(client: QueryClient): void {
  const sessionHash = hashKey(sessionQuery.queryKey);
  const follow = () => {
    const session = client.getQueryData(sessionQuery.queryKey);
    if (!session) return;
    followAccount(client, session);
    notifyBrowser(client);
  };
  client.getQueryCache().subscribe(({ type, query }) => {
    if (query.queryHash === sessionHash && (type === "added" || type === "updated")) follow();
  });
  onThemeChosen(follow);
  onLanguageChosen(follow);
}

function followAccount(client: QueryClient, session: Session): void {
  const { user } = session;
  const unsaved = unsavedOf(user.id);
  if (Object.entries(unsaved).some(([name, value]) => user[name as keyof Preferences] !== value)) {
    // What was chosen while the server was away counts more than what it had until then; this is called again with it.
    showOf(client, unsaved);
    void send().catch((error: Error) => showToast("error", error.message));
    return;
  }
  setTimeZone(user.timeZone);
  const lastSeen = readCopy();
  const language = chooseNewer(chosenLanguage(), user.language, lastSeen.language);
  const theme = chooseNewer(chosenTheme(), user.theme, lastSeen.theme);
  const change = {
    ...(theme !== user.theme && { theme }),
    ...(language !== user.language && { language }),
  };
  if (Object.keys(change).length > 0) {
    savePreferences(client, change).catch((error: Error) => showToast("error", error.message));
    return;
  }
  if (theme !== chosenTheme()) chooseTheme(theme ?? "system");
  if (language === chosenLanguage()) writeCopy({ language, theme });
  // It is tried again when the session is next read.
  else turning = chooseLanguage(language).catch(() => undefined);
}

/** Mails use this browser's language and zone where nothing is chosen. Retried when the session is next read. */
function notifyBrowser(client: QueryClient): void {
  const user = client.getQueryData(sessionQuery.queryKey)?.user;
  const seen = { seenLanguage: browserLanguage(), seenTimeZone: browserTimeZone() };
  if (!user) return;
  if (user.seenLanguage === seen.seenLanguage && user.seenTimeZone === seen.seenTimeZone) return;
  client.setQueryData(
    sessionQuery.queryKey,
    (session) => session && { ...session, user: { ...session.user, ...seen } },
  );
  call("PATCH", apiPaths.me, { body: seen }).catch(() => undefined);
}

let turning = Promise.resolve();

/** Resolves once the app uses the language of the account, or cannot. */
export const languageFollowed = (): Promise<void> => turning;

function readCopy(): Choices {
  try {
    return { language: null, theme: null, ...JSON.parse(localStorage.getItem(copyKey) ?? "{}") };
  } catch {
    return { language: null, theme: null };
  }
}

function writeCopy(choices: Choices): void {
  try {
    localStorage.setItem(copyKey, JSON.stringify(choices));
  } catch {
    // Storage is blocked: nothing is remembered here, neither these nor what they are compared with.
  }
}
