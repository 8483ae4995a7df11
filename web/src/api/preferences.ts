import { hashKey, type QueryClient } from "@tanstack/react-query";
import { showToast } from "../components/toasts.ts";
import { setTimeZone } from "../format.ts";
import { chooseLanguage, chosenLanguage, onLanguageChosen } from "../i18n/i18n.ts";
import { apiPaths } from "../paths.ts";
import { chooseTheme, chosenTheme, onThemeChosen } from "../theme.ts";
import { call } from "./client.ts";
import { type Session, sessionQuery } from "./session.ts";

export type Preferences = Pick<Session["user"], "language" | "theme" | "timeZone">;
/** What this browser remembers too, for the time before it knows who is there. */
type Choices = Pick<Preferences, "language" | "theme">;

const copyKey = "vedette.account-choices";

/**
 * Which of two choices is newer: the one made in this browser, unless it is still what the account had when it was last
 * seen here.
 */
export const settle = <Choice>(here: Choice, account: Choice, lastSeen: Choice): Choice =>
  here === lastSeen ? account : here;

/** Changes what is given, here and, one change after the other, at the server. */
export function savePreferences(client: QueryClient, change: Partial<Preferences>): Promise<unknown> {
  client.setQueryData(
    sessionQuery.queryKey,
    (session) => session && { ...session, user: { ...session.user, ...change } },
  );
  // The answers say how things were at their time, so nothing is taken from them.
  const saved = saving.then(() => call("PATCH", apiPaths.me, { body: change }));
  saving = saved.catch(() => undefined);
  return saved;
}

let saving: Promise<unknown> = Promise.resolve();

/**
 * From now on language, theme and time zone are those of whoever is signed in, and what they choose, in whatever menu,
 * is kept with their account and so follows them to other browsers.
 */
export function keepPreferences(client: QueryClient): void {
  const sessionHash = hashKey(sessionQuery.queryKey);
  const follow = () => {
    const session = client.getQueryData(sessionQuery.queryKey);
    if (session) followAccount(client, session);
  };
  client.getQueryCache().subscribe(({ type, query }) => {
    if (query.queryHash === sessionHash && (type === "added" || type === "updated")) follow();
  });
  onThemeChosen(follow);
  onLanguageChosen(follow);
}

function followAccount(client: QueryClient, session: Session): void {
  const { user } = session;
  setTimeZone(user.timeZone);
  const lastSeen = readCopy();
  const language = settle(chosenLanguage(), user.language, lastSeen.language);
  const theme = settle(chosenTheme(), user.theme, lastSeen.theme);
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

let turning = Promise.resolve();

/** Resolves when the app speaks the language of whoever is signed in, or cannot. */
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
